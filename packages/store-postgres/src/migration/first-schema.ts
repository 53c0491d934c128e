/** Version 1. Never edit a migration after its release. */
export const FIRST_SCHEMA = `
CREATE TABLE haft.tenant (
  id text PRIMARY KEY,
  max_running integer NOT NULL DEFAULT 64,
  max_queued integer NOT NULL DEFAULT 10000
);
CREATE TABLE haft.member (
  tenant text NOT NULL,
  id text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (tenant, id)
);
CREATE TABLE haft.pulse (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  last_beat timestamptz NOT NULL,
  alive_since timestamptz NOT NULL
);
CREATE TABLE haft.workspace (
  tenant text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  tenant_name text NOT NULL,
  epoch bigint NOT NULL,
  worker text,
  expires_at timestamptz,
  taken_at timestamptz,
  facts text,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX workspace_worker ON haft.workspace (worker);
CREATE TABLE haft.call (
  ord bigserial,
  tenant text NOT NULL,
  id text NOT NULL,
  workspace text NOT NULL,
  state text NOT NULL DEFAULT 'queued',
  version integer NOT NULL DEFAULT 1,
  attempt integer NOT NULL DEFAULT 1,
  digest text NOT NULL,
  body text NOT NULL,
  max_queued_ms double precision,
  worker text,
  epoch bigint,
  is_repeatable boolean,
  approval_id text,
  approval_name text,
  cancelled_by text,
  settlement text,
  submitted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  settled_at timestamptz,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX call_queued ON haft.call (tenant, workspace, ord) WHERE state = 'queued';
CREATE INDEX call_active ON haft.call (tenant, workspace) WHERE state IN ('preparing', 'running');
CREATE INDEX call_awaiting ON haft.call (tenant, workspace, approval_id) WHERE state = 'awaiting_approval';
CREATE INDEX call_settled ON haft.call (settled_at) WHERE state = 'settled';
CREATE TABLE haft.approval (
  tenant text NOT NULL,
  id text NOT NULL,
  call_id text,
  requested_at text,
  record text,
  waiter text,
  waits_until timestamptz,
  is_taken boolean NOT NULL DEFAULT false,
  decided_at timestamptz,
  approved boolean,
  answer text,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX approval_call ON haft.approval (tenant, call_id);
CREATE TABLE haft.saved_grant (
  tenant text NOT NULL,
  workspace text NOT NULL,
  id text NOT NULL,
  created_at text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (tenant, workspace, id)
);
CREATE TABLE haft.audit_head (
  tenant text PRIMARY KEY,
  seq bigint NOT NULL,
  hash text NOT NULL
);
CREATE TABLE haft.audit (
  tenant text NOT NULL,
  seq bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (tenant, seq)
);
CREATE TABLE haft.run (
  tenant text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  last_seq bigint NOT NULL DEFAULT 0,
  writer text,
  writes_until timestamptz,
  PRIMARY KEY (tenant, id)
);
CREATE TABLE haft.run_event (
  tenant text NOT NULL,
  run text NOT NULL,
  seq bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (tenant, run, seq),
  FOREIGN KEY (tenant, run) REFERENCES haft.run (tenant, id) ON DELETE CASCADE
);
`;
