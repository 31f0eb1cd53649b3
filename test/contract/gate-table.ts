/** The gate table of the specification: every tool stands in exactly one row. `administer` names those in italics. */
export interface GateRow {
  readonly flags: readonly string[];
  readonly tools: readonly string[];
  readonly administer: readonly string[];
}

const row = (flags: string, tools: string, administer = ''): GateRow => ({
  flags: words(flags),
  tools: [...words(tools), ...words(administer)],
  administer: words(administer),
});

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

export const GATE_TABLE: readonly GateRow[] = [
  row(
    '',
    `project_current readiness_get document_create document_revise document_publish document_get document_list
     document_get_review document_reply_to_comment document_mark_comment_addressed document_rename document_archive
     document_unarchive document_set_tags document_set_references document_set_series tag_list series_list series_rename
     worker_run_list worker_run_get worker_run_tool_calls bridge_host_samples bridge_list worker_run_resume
     worker_run_stop bridge_command_cancel metric_list metric_query experiment_get analysis_get analysis_report
     analytics_settings_get`,
    'project_update project_origins_set readiness_guide_set analytics_settings_update',
  ),
  row('review.highlights.enabled', 'document_highlight'),
  row(
    'board.enabled',
    `card_create card_list card_search card_get card_get_history card_update card_run_open card_run_close card_hold
     card_release card_pause_release board_columns workflow_get feedback_list feedback_mark_addressed
     agent_review_submit document_review_submit document_review_answer discovery_start readiness_report_submit`,
    'column_create column_update column_reorder column_delete automation_settings_update',
  ),
  row(
    'inbox.enabled',
    'inbox_ask inbox_search inbox_join inbox_list inbox_actions inbox_get inbox_withdraw',
    'inbox_answer inbox_decline inbox_done inbox_action_run inbox_settings_update',
  ),
  row('artifacts.enabled', 'artifact_list artifact_get artifact_read artifact_archive artifact_unarchive'),
  row(
    'artifacts.enabled artifacts.create.enabled',
    `artifact_create artifact_status artifact_explore artifact_edit artifact_get_zip_upload_url
     artifact_update_metadata artifact_duplicate artifact_set_cards workspace_list_workspaces`,
  ),
  row('artifacts.enabled artifacts.generation.enabled', 'artifact_generation_report'),
  row('artifacts.enabled artifacts.git.enabled', 'artifact_get_git_token'),
  row('artifacts.enabled artifacts.publish.enabled', 'artifact_publish artifact_unpublish'),
  row(
    'artifacts.enabled artifacts.typed.enabled',
    'artifact_typed_create artifact_typed_list artifact_typed_get',
  ),
];
