-- Which template a project follows, as it was when it was bound or last upgraded.
CREATE TABLE board.project_workflow (
  project_id uuid PRIMARY KEY REFERENCES board.board (project_id) ON DELETE CASCADE,
  template_key text NOT NULL,
  template_version integer NOT NULL CHECK (template_version >= 1),
  -- The whole template; processes keep what they parsed of it under its digest.
  snapshot jsonb NOT NULL,
  digest text NOT NULL,
  values jsonb NOT NULL DEFAULT '{}',
  enabled boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  bound_at timestamptz(3) NOT NULL
);
CREATE INDEX project_workflow_template ON board.project_workflow (template_key, template_version);

CREATE TABLE board.project_slot (
  project_id uuid NOT NULL REFERENCES board.project_workflow (project_id) ON DELETE CASCADE,
  slot_key text NOT NULL,
  column_id uuid REFERENCES board.board_column (id) ON DELETE SET NULL,
  PRIMARY KEY (project_id, slot_key)
);
-- A column is the place of one slot.
CREATE UNIQUE INDEX project_slot_column ON board.project_slot (column_id) WHERE column_id IS NOT NULL;
