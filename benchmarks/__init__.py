"""What is measured, one script a question: `python -m benchmarks.NAME`. Ratios within one run."""
