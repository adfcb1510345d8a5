"""The version of this distribution, read by the build without importing the package."""

__version__ = "0.1.0"
