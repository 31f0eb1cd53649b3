-- The owner has no row here: `projects.owner_id` names exactly one.
CREATE TABLE projects.memberships (
  project_id uuid NOT NULL REFERENCES projects.projects (id) ON DELETE CASCADE,
  person_id uuid NOT NULL,
  role text NOT NULL CHECK (role IN ('maintainer', 'member', 'viewer')),
  invited_by uuid,
  joined_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, person_id)
);

CREATE INDEX memberships_person ON projects.memberships (person_id);
