-- Flags: a missing row means the default of the registry in code.
CREATE TABLE platform.flag_values (
  name text PRIMARY KEY,
  value text NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  updated_by uuid
);

-- Audit log: append-only for the application.
CREATE TABLE platform.audit_events (
  id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  operation text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('success', 'refused', 'failed')),
  actor_kind text NOT NULL,
  actor_id uuid,
  actor_name text,
  channel text NOT NULL,
  connection_id uuid,
  agent_session_id text,
  ip text,
  subject_type text,
  subject_id text,
  project_id uuid,
  context jsonb NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX audit_events_at ON platform.audit_events (at DESC, id DESC);
CREATE INDEX audit_events_operation ON platform.audit_events (operation text_pattern_ops, at DESC);
CREATE INDEX audit_events_actor ON platform.audit_events (actor_id, at DESC);
CREATE INDEX audit_events_actor_name ON platform.audit_events (lower(actor_name) text_pattern_ops, at DESC);
CREATE INDEX audit_events_project ON platform.audit_events (project_id, at DESC);
CREATE INDEX audit_events_subject ON platform.audit_events (subject_id, at DESC);

CREATE FUNCTION platform.refuse_audit_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Audit records are never changed.';
END
$$;
CREATE TRIGGER audit_events_append_only BEFORE UPDATE ON platform.audit_events
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_audit_update();

-- Outbox: `position` is the order in which events of one aggregate are delivered.
CREATE TABLE platform.outbox_events (
  id uuid PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  type text NOT NULL,
  version int NOT NULL,
  aggregate_id text NOT NULL,
  project_id uuid,
  person_id uuid,
  actor_kind text NOT NULL,
  actor_id text,
  payload jsonb NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  dispatched_at timestamptz(3)
);
CREATE INDEX outbox_events_waiting ON platform.outbox_events (position) WHERE dispatched_at IS NULL;
CREATE INDEX outbox_events_dispatched ON platform.outbox_events (dispatched_at) WHERE dispatched_at IS NOT NULL;

-- One row per event and listener, made when the event is dispatched; `delivered_at` is set in the listener's transaction.
CREATE TABLE platform.listener_records (
  event_id uuid NOT NULL REFERENCES platform.outbox_events (id) ON DELETE CASCADE,
  listener text NOT NULL,
  aggregate_id text NOT NULL,
  position bigint NOT NULL,
  dispatched_at timestamptz(3) NOT NULL,
  delivered_at timestamptz(3),
  PRIMARY KEY (event_id, listener)
);
CREATE INDEX listener_records_waiting ON platform.listener_records (listener, aggregate_id, position)
  WHERE delivered_at IS NULL;
CREATE INDEX listener_records_undelivered ON platform.listener_records (dispatched_at)
  WHERE delivered_at IS NULL;

CREATE TABLE platform.job_outbox (
  id uuid PRIMARY KEY,
  queue text NOT NULL,
  job_id text NOT NULL,
  name text NOT NULL,
  data jsonb NOT NULL,
  not_before timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  done_at timestamptz(3)
);
CREATE INDEX job_outbox_waiting ON platform.job_outbox (id) WHERE done_at IS NULL;
CREATE INDEX job_outbox_done ON platform.job_outbox (done_at) WHERE done_at IS NOT NULL;

CREATE TABLE platform.dead_jobs (
  id uuid PRIMARY KEY,
  queue text NOT NULL,
  job_id text NOT NULL,
  name text NOT NULL,
  data jsonb NOT NULL,
  error text NOT NULL,
  stack text NOT NULL,
  attempts int NOT NULL,
  failed_at timestamptz(3) NOT NULL,
  resolved_at timestamptz(3),
  resolved_by uuid,
  resolution text CHECK (resolution IN ('retried', 'discarded'))
);
CREATE UNIQUE INDEX dead_jobs_open ON platform.dead_jobs (queue, job_id) WHERE resolved_at IS NULL;
CREATE INDEX dead_jobs_open_at ON platform.dead_jobs (failed_at DESC, id DESC) WHERE resolved_at IS NULL;
CREATE INDEX dead_jobs_event ON platform.dead_jobs ((data ->> 'eventId')) WHERE queue = 'events';

-- The random mark that the queue backend holds too; another one there means that its data was lost.
CREATE TABLE platform.queue_epoch (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  epoch text NOT NULL,
  written_at timestamptz(3) NOT NULL
);

CREATE TABLE platform.process_heartbeats (
  process_id uuid PRIMARY KEY,
  role text NOT NULL,
  host text NOT NULL,
  pid int NOT NULL,
  version text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL
);

-- Live updates: ids only. `xid` tells a reader which events may have committed behind its back.
CREATE TABLE platform.live_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  topic text NOT NULL,
  type text NOT NULL,
  subject_id text NOT NULL,
  version bigint,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX live_events_xid ON platform.live_events (xid);
CREATE INDEX live_events_topic ON platform.live_events (topic, id);
CREATE INDEX live_events_at ON platform.live_events (at);

CREATE TABLE platform.request_results (
  principal text NOT NULL,
  project_id text NOT NULL,
  request_id uuid NOT NULL,
  operation text NOT NULL,
  arguments_hash text NOT NULL,
  claimed_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3),
  result text,
  PRIMARY KEY (principal, project_id, request_id)
);
CREATE INDEX request_results_claimed ON platform.request_results (claimed_at);

-- A sealed word: the encryption key that opens it is the right one.
CREATE TABLE platform.key_sentinel (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  sealed text NOT NULL
);
