-- Losing these counters only forgives, so they are not worth a write-ahead log.
CREATE UNLOGGED TABLE platform.rate_limits (
  name text NOT NULL,
  key text NOT NULL,
  window_number bigint NOT NULL,
  hits integer NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (name, key, window_number)
);
CREATE INDEX rate_limits_expires_at ON platform.rate_limits (expires_at);
