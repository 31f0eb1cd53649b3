-- Who somebody is at the issuer of company sign-in.
CREATE TABLE identity.company_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  person_id uuid NOT NULL REFERENCES identity.persons (id) ON DELETE CASCADE,
  -- True when the group of the issuer made this person an administrator; only then may it take that away.
  admin_by_group boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject)
);

CREATE INDEX company_identities_person ON identity.company_identities (person_id);

-- Sealed id token of sessions that the issuer opened, so that signing out can end the one there too.
ALTER TABLE identity.web_sessions ADD COLUMN company_token text;

CREATE INDEX persons_newest ON identity.persons (created_at DESC, id DESC);
