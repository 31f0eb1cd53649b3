CREATE SCHEMA projects;

CREATE TABLE projects.projects (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  description text NOT NULL DEFAULT '',
  domain text,
  search_language text NOT NULL DEFAULT 'english',
  allowed_origins text[] NOT NULL DEFAULT '{}',
  readiness_guide_visible boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz
);

-- A deleted project waits for its purge and gives its slug free at once.
CREATE UNIQUE INDEX projects_owner_slug ON projects.projects (owner_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX projects_deleted ON projects.projects (deleted_at) WHERE deleted_at IS NOT NULL;
