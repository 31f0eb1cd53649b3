CREATE SCHEMA IF NOT EXISTS artifacts;

-- One conversation of a person's agent in a project. The key comes from a header and is no secret: together with person
-- and project it reaches the person's own conversations alone.
CREATE TABLE artifacts.typed_thread (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  -- Null once the person has gone: nobody reaches the conversation by its key any more.
  person_id uuid,
  session_key text NOT NULL CHECK (char_length(session_key) BETWEEN 1 AND 100),
  client_name text,
  last_turn_index integer CHECK (last_turn_index BETWEEN 0 AND 100000),
  artifact_count integer NOT NULL DEFAULT 0 CHECK (artifact_count >= 0),
  created_at timestamptz(3) NOT NULL,
  last_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX typed_thread_key ON artifacts.typed_thread (project_id, person_id, session_key);
CREATE INDEX typed_thread_newest ON artifacts.typed_thread (project_id, created_at DESC, id DESC) WHERE artifact_count > 0;
CREATE INDEX typed_thread_person ON artifacts.typed_thread (person_id) WHERE person_id IS NOT NULL;

CREATE TABLE artifacts.typed_artifact (
  project_id uuid NOT NULL,
  -- Counts from 1 in each project; a number is never given twice.
  id bigint NOT NULL CHECK (id >= 1),
  thread_id uuid NOT NULL REFERENCES artifacts.typed_thread (id),
  type text NOT NULL,
  title text CHECK (char_length(title) BETWEEN 1 AND 200),
  description text CHECK (char_length(description) BETWEEN 1 AND 1000),
  turn_index integer NOT NULL CHECK (turn_index BETWEEN 0 AND 100000),
  -- As it was sent: json keeps the order of keys, jsonb would not.
  payload json NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Null once the person has gone.
  created_by uuid,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX typed_artifact_thread ON artifacts.typed_artifact (thread_id, id DESC);
CREATE INDEX typed_artifact_thread_type ON artifacts.typed_artifact (thread_id, type, id DESC);
CREATE INDEX typed_artifact_type ON artifacts.typed_artifact (project_id, type, id DESC);
CREATE INDEX typed_artifact_person ON artifacts.typed_artifact (created_by) WHERE created_by IS NOT NULL;

-- The last number given and how many there are. Its row orders the writers of a project.
CREATE TABLE artifacts.typed_count (
  project_id uuid PRIMARY KEY,
  last_id bigint NOT NULL,
  artifact_count integer NOT NULL CHECK (artifact_count >= 0)
);
