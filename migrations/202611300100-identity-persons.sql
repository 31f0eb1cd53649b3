CREATE SCHEMA identity;

CREATE TABLE identity.persons (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_lower text NOT NULL,
  display_name text NOT NULL,
  password_hash text NOT NULL,
  email_verified_at timestamptz(3),
  is_admin boolean NOT NULL DEFAULT false,
  suspended_at timestamptz(3),
  suspended_reason text,
  deletion_requested_at timestamptz(3),
  last_login_at timestamptz(3),
  last_project_id uuid,
  timezone text NOT NULL DEFAULT 'UTC',
  preferences jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

CREATE UNIQUE INDEX persons_email_lower ON identity.persons (email_lower);
CREATE INDEX persons_admins ON identity.persons (id) WHERE is_admin AND deletion_requested_at IS NULL;

CREATE TABLE identity.web_sessions (
  -- SHA-256 of the cookie value in hex; the value itself is kept nowhere.
  id text PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES identity.persons (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  auth_time timestamptz(3) NOT NULL DEFAULT now(),
  ip text,
  user_agent text,
  csrf_secret text NOT NULL
);

CREATE INDEX web_sessions_person ON identity.web_sessions (person_id);
CREATE INDEX web_sessions_expiry ON identity.web_sessions (expires_at);
