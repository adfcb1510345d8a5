"""The rows of Codex rollouts that are known; others are counted as unknown."""

from __future__ import annotations

from typing import Final

FIELDS: Final = frozenset(("timestamp", "ordinal", "type", "payload", "metadata"))
IGNORED: Final = frozenset(
    (
        "inter_agent_communication",
        "inter_agent_communication_metadata",
        "token_usage_record",
        "turn_context",
        "world_state",
    )
)
KINDS: Final = IGNORED | {"session_meta", "response_item", "event_msg", "compacted"}

_EVENTS = """
agent_message agent_message_delta agent_reasoning agent_reasoning_raw_content background_event
collab_agent_interaction_end collab_agent_spawn_end collab_close_end collab_waiting_end
context_compacted dynamic_tool_call_request dynamic_tool_call_response entered_review_mode error
exec_command_begin exec_command_end exec_command_output_delta exited_review_mode
guardian_assessment image_generation_end item_completed item_started mcp_tool_call_begin
mcp_tool_call_end patch_apply_begin patch_apply_end plan_update session_configured
stream_error sub_agent_activity task_complete task_started thread_goal_updated
thread_name_updated thread_rolled_back thread_settings_applied token_count turn.completed
turn_aborted turn_diff undo_completed undo_started user_message view_image_tool_call
warning web_search_begin web_search_end
"""
EVENTS: Final = frozenset(_EVENTS.split())
"""What `event_msg` rows tell; most of it stands in other rows too."""
SILENT: Final = EVENTS - {
    "item_completed",
    "patch_apply_end",
    "task_started",
    "thread_rolled_back",
    "undo_completed",
}
"""Those that an import takes nothing from."""
