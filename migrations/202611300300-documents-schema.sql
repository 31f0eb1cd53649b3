CREATE SCHEMA documents;

CREATE TABLE documents.series (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  name text NOT NULL,
  normalized_name text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT series_name UNIQUE (project_id, normalized_name)
);

CREATE TABLE documents.document (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  title text NOT NULL,
  status text NOT NULL CHECK (status IN ('draft', 'in-review', 'approved', 'changes-requested')),
  language text NOT NULL,
  current_version integer NOT NULL CHECK (current_version >= 1),
  series_id uuid REFERENCES documents.series (id),
  series_ordinal integer CHECK (series_ordinal >= 1),
  archived_at timestamptz,
  archive_reason text,
  origin text NOT NULL CHECK (origin IN ('agent', 'person', 'readiness-report', 'analysis-report')),
  created_by_user_id uuid,
  created_at timestamptz NOT NULL,
  content_updated_at timestamptz NOT NULL,
  search_vector tsvector,
  CONSTRAINT document_series_whole CHECK ((series_id IS NULL) = (series_ordinal IS NULL)),
  CONSTRAINT document_series_position UNIQUE (series_id, series_ordinal)
);
CREATE INDEX document_recent ON documents.document (project_id, archived_at, content_updated_at DESC, id);
CREATE INDEX document_status ON documents.document (project_id, status);
CREATE INDEX document_language ON documents.document (project_id, language);
CREATE INDEX document_created_by ON documents.document (created_by_user_id) WHERE created_by_user_id IS NOT NULL;
CREATE INDEX document_search ON documents.document USING gin (search_vector);

-- The low target moves the long texts out of line, so that reading the short columns never touches them.
CREATE TABLE documents.document_version (
  id uuid PRIMARY KEY,
  document_id uuid NOT NULL REFERENCES documents.document (id) ON DELETE CASCADE,
  number integer NOT NULL CHECK (number >= 1),
  description text,
  author_kind text NOT NULL CHECK (author_kind IN ('agent', 'person')),
  author_user_id uuid,
  content_hash bytea NOT NULL,
  renderer_version text NOT NULL,
  carried integer NOT NULL,
  orphaned integer NOT NULL,
  sections_carried integer NOT NULL,
  sections_dropped integer NOT NULL,
  created_at timestamptz NOT NULL,
  markdown text NOT NULL,
  rendered_html text NOT NULL,
  plain_text text NOT NULL,
  outline jsonb NOT NULL,
  sections jsonb NOT NULL,
  decisions jsonb NOT NULL,
  warnings jsonb NOT NULL,
  CONSTRAINT document_version_number UNIQUE (document_id, number)
) WITH (toast_tuple_target = 256);
CREATE INDEX document_version_author ON documents.document_version (author_user_id)
  WHERE author_user_id IS NOT NULL;

CREATE TABLE documents.tag (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  name text NOT NULL,
  CONSTRAINT tag_name UNIQUE (project_id, name)
);

CREATE TABLE documents.document_tag (
  document_id uuid NOT NULL REFERENCES documents.document (id) ON DELETE CASCADE,
  tag_id uuid NOT NULL REFERENCES documents.tag (id),
  PRIMARY KEY (document_id, tag_id)
);
CREATE INDEX document_tag_tag ON documents.document_tag (tag_id, document_id);

CREATE TABLE documents.document_reference (
  document_id uuid NOT NULL REFERENCES documents.document (id) ON DELETE CASCADE,
  target_id uuid NOT NULL REFERENCES documents.document (id) ON DELETE CASCADE,
  position integer NOT NULL,
  PRIMARY KEY (document_id, target_id),
  CHECK (document_id <> target_id)
);
CREATE INDEX document_reference_target ON documents.document_reference (target_id);

CREATE TABLE documents.comment (
  id uuid PRIMARY KEY,
  document_version_id uuid NOT NULL REFERENCES documents.document_version (id) ON DELETE CASCADE,
  parent_id uuid REFERENCES documents.comment (id) ON DELETE CASCADE,
  author_kind text NOT NULL CHECK (author_kind IN ('agent', 'person')),
  author_user_id uuid,
  body text NOT NULL,
  body_html text NOT NULL,
  anchor_quote text,
  anchor_prefix text,
  anchor_suffix text,
  anchor_start integer,
  replacement text,
  status text CHECK (status IN ('pending', 'addressed', 'resolved')),
  orphaned boolean NOT NULL DEFAULT false,
  moved boolean NOT NULL DEFAULT false,
  carried_from_id uuid,
  deleted_at timestamptz,
  deleted_by_user_id uuid,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT comment_status_of_root CHECK ((status IS NULL) = (parent_id IS NOT NULL)),
  CONSTRAINT comment_anchor_whole CHECK (
    (anchor_quote IS NULL) = (anchor_start IS NULL)
    AND (anchor_quote IS NULL) = (anchor_prefix IS NULL)
    AND (anchor_quote IS NULL) = (anchor_suffix IS NULL)
  ),
  CONSTRAINT comment_replacement_anchored CHECK (replacement IS NULL OR anchor_quote IS NOT NULL)
);
CREATE INDEX comment_thread ON documents.comment (document_version_id, parent_id, created_at);
CREATE INDEX comment_parent ON documents.comment (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX comment_open ON documents.comment (document_version_id)
  WHERE parent_id IS NULL AND status <> 'resolved' AND deleted_at IS NULL;
CREATE INDEX comment_carried_from ON documents.comment (carried_from_id);
CREATE INDEX comment_author ON documents.comment (author_user_id) WHERE author_user_id IS NOT NULL;

CREATE TABLE documents.verdict (
  id uuid PRIMARY KEY,
  document_version_id uuid NOT NULL REFERENCES documents.document_version (id) ON DELETE CASCADE,
  verdict text NOT NULL CHECK (verdict IN ('approved', 'changes-requested')),
  note text,
  note_html text,
  reviewer_user_id uuid,
  submitted_at timestamptz NOT NULL,
  withdrawn_at timestamptz,
  withdrawn_by_user_id uuid
);
CREATE INDEX verdict_newest ON documents.verdict (document_version_id, submitted_at DESC);
CREATE INDEX verdict_reviewer ON documents.verdict (reviewer_user_id) WHERE reviewer_user_id IS NOT NULL;

CREATE TABLE documents.decision_answer (
  document_id uuid NOT NULL REFERENCES documents.document (id) ON DELETE CASCADE,
  decision_id text NOT NULL,
  selections jsonb NOT NULL,
  note text,
  updated_at timestamptz NOT NULL,
  updated_by_user_id uuid,
  audited_at timestamptz NOT NULL,
  CONSTRAINT decision_answer_key PRIMARY KEY (document_id, decision_id)
);

CREATE TABLE documents.section_approval (
  document_id uuid NOT NULL REFERENCES documents.document (id) ON DELETE CASCADE,
  heading_id text NOT NULL,
  user_id uuid NOT NULL,
  content_hash text NOT NULL,
  approved_at timestamptz NOT NULL,
  PRIMARY KEY (document_id, heading_id, user_id)
);
CREATE INDEX section_approval_user ON documents.section_approval (user_id);

CREATE TABLE documents.reader_mark (
  user_id uuid NOT NULL,
  document_id uuid NOT NULL REFERENCES documents.document (id) ON DELETE CASCADE,
  version_number integer NOT NULL,
  PRIMARY KEY (user_id, document_id)
);
CREATE INDEX reader_mark_document ON documents.reader_mark (document_id);
