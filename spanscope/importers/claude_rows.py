"""The rows and fields of Claude Code transcripts that are known.

What is not listed is counted as unknown, and never fails an import.
"""

from __future__ import annotations

from typing import Final

_IGNORED = """
agent-name ai-title atis-latch bridge-session continued-in cost-state custom-title
file-history-delta fork-context-ref frame-link history-suppression last-prompt mode permission-mode
pr-link queue-operation relocated result started summary tools-used worktree-state
"""
IGNORED: Final = frozenset(_IGNORED.split())
"""Kinds of rows that say nothing about the context."""

_KNOWN_ATTACHMENTS = """
agent_listing_delta auto_mode batching_reminder_sent budget_usd command_permissions
compact_file_reference date date_change deferred_tools_delta dynamic_skill edited_text_file
environment file hook_additional_context hook_blocking_error hook_non_blocking_error hook_success
invoked_skills mcp_instructions_delta model nested_memory plan_mode plan_mode_exit prompt_snapshot
queued_command read_truncation_notice remote_session_change session_context silent_turn_reminder
skill_listing task_reminder task_status todo_reminder total_tokens_reminder ultra_effort_enter
ultra_effort_exit
"""
KNOWN_ATTACHMENTS: Final = frozenset(_KNOWN_ATTACHMENTS.split())
"""Kinds of attachments."""

_FIELDS = """
agentId agentName aiTitle apiBlockIndex apiErrorStatus apiRefusalCategory apiRefusalExplanation
atis attachment attributionAgent attributionMcpServer attributionMcpTool attributionPlugin
attributionSkill backup base bridgeSessionId cacheControl cause classifierMetaLines compactMetadata
content customTitle cwd data direction durationMs echoWireToolInputs effort entrypoint error
errorDetails fallbackModel forkedFrom frameUrl gitBranch hasOutput hasUnknownModelCost hash
hookAdditionalContext hookCount hookErrors hookInfos id imagePasteIds interruptedByShutdown
interruptedMessageId isAbortedMidStream isApiErrorMessage isCompactSummary isMeta isSidechain
isSnapshotUpdate isVisibleInTranscriptOnly keep key lastPrompt lastSequenceNum leafUuid level
logicalParentUuid madeBy maxRetries mcpMeta message messageCount messageId microcompactMetadata
mode modelUsage operation origin originalModel ownerAccountUuid ownerOrganizationUuid params
parentToolUseID parentUuid path pendingBackgroundAgentCount perTurnEffort permissionDecision
permissionMode prNumber prRepository prUrl preventedContinuation promptCacheRequested promptId
promptSource querySource queueSkipAttachments refusedUserMessageUuid relocatedCwd rendered
renderedBesideToolResult
renderedRole replacements requestDigest requestId requestRef requestedModel result
retractedMessageUuids retryAttempt retryInMs rowSource scope sentAtMs sessionId sessionKind
session_id shape shapeHash slug snapshot snapshotMessageId source sourceToolAssistantUUID
sourceToolUseID startTime stopReason subtype summary supersedesUuids tail thinkingMetadata thread
timestamp title todos toolDenialKind toolEndsTurn toolInputStreamMs toolUseID toolUseResult tools
totalAPIDuration totalAPIDurationWithoutRetries totalCostUSD totalDuration totalLinesAdded
totalLinesRemoved totalToolDuration trackingPath trigger turnCompanion turnOrigin turnPosition type
userType uuid version worktreeSession
"""
FIELDS: Final = frozenset(_FIELDS.split())
"""Fields of any row."""

SPOKEN: Final = ("user", "assistant", "system", "attachment", "progress")
OWN: Final = ("file-history-snapshot", "api-request", "summary", "queue-operation")


def looks_like(row: object) -> bool:
    """Whether a row is one that only these transcripts have."""
    if not isinstance(row, dict):
        return False
    kind = row.get("type")
    if kind in SPOKEN:
        return isinstance(row.get("uuid"), str) and ("sessionId" in row or "parentUuid" in row)
    return kind in OWN and ("sessionId" in row or "messageId" in row or "leafUuid" in row)
