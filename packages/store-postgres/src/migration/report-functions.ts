/**
 * Version 2: operations on many calls at once. As functions, their statements are planned once per server connection,
 * even behind a transaction pooler, which keeps no prepared statements. They process calls one by one, because the
 * cached plan for a whole batch may read the whole table.
 */
export const REPORT_FUNCTIONS = `
-- Returns the places, from 1, of the calls that are new. Calls of a tenant are numbered in the order that is given.
CREATE FUNCTION haft.submit_calls(
  p_tenants text[], p_ids text[], p_workspaces text[], p_digests text[], p_bodies text[], p_max_queued_ms double precision[]
) RETURNS TABLE (nth bigint, submitted_at timestamptz)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v record;
  v_tenant text;
  v_max bigint;
  v_room bigint;
BEGIN
  FOR v IN
    SELECT g.* FROM unnest(p_tenants, p_ids, p_workspaces, p_digests, p_bodies, p_max_queued_ms) WITH ORDINALITY
      AS g (tenant, id, workspace, digest, body, max_queued_ms, nth)
    ORDER BY g.tenant, g.nth
  LOOP
    IF v_tenant IS DISTINCT FROM v.tenant THEN
      v_tenant := v.tenant;
      v_max := coalesce((SELECT t.max_queued FROM haft.tenant t WHERE t.id = v_tenant), 10000);
      v_room := v_max - (SELECT count(*) FROM (
        SELECT 1 FROM haft.call c WHERE c.tenant = v_tenant AND c.state = 'queued' LIMIT v_max) q);
    END IF;
    CONTINUE WHEN v_room <= 0;
    INSERT INTO haft.call AS n (tenant, id, workspace, digest, body, max_queued_ms)
    VALUES (v.tenant, v.id, v.workspace, v.digest, v.body, v.max_queued_ms)
    ON CONFLICT (tenant, id) DO NOTHING RETURNING n.submitted_at INTO submitted_at;
    CONTINUE WHEN NOT FOUND;
    v_room := v_room - 1;
    nth := v.nth;
    RETURN NEXT;
  END LOOP;
END $$;

${reportFunction({
  name: "start_calls",
  type: "boolean",
  change: "state = 'running', is_repeatable = v.value, started_at = clock_timestamp()",
  condition: "c.state = 'preparing' AND c.cancelled_by IS NULL",
})}
${reportFunction({
  name: "settle_calls",
  type: "text",
  change: "state = 'settled', settlement = v.value, settled_at = clock_timestamp()",
  condition: "c.state IN ('preparing', 'running')",
})}
-- Appends records to an audit chain whose head is known. False if the head is another one by now.
CREATE FUNCTION haft.extend_audit(
  p_tenant text, p_seq bigint, p_hash text, p_new_hash text, p_bodies text[]
) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE haft.audit_head SET seq = p_seq + cardinality(p_bodies), hash = p_new_hash
  WHERE tenant = p_tenant AND seq = p_seq AND hash = p_hash;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO haft.audit (tenant, seq, body)
  SELECT p_tenant, p_seq + r.nth, r.body FROM unnest(p_bodies) WITH ORDINALITY AS r (body, nth);
  RETURN true;
END $$;

-- Whether calls of one of these tenants wait in the queue.
CREATE FUNCTION haft.is_queue_waiting(p_tenants text[]) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT 1 FROM haft.call q WHERE q.tenant = ANY (p_tenants) AND q.state = 'queued');
END $$;
`;

interface ReportFunction {
  readonly name: string;
  /** A field of the value reported with each call, `v.value`. */
  readonly type: string;
  readonly change: string;
  readonly condition: string;
}

/**
 * Returns the positions of the calls whose claim was valid. Locks rows in key order, as everywhere, so that
 * transactions never deadlock.
 */
function reportFunction({ name, type, change, condition }: ReportFunction): string {
  return `
CREATE FUNCTION haft.${name}(
  p_tenants text[], p_ids text[], p_workers text[], p_epochs bigint[], p_values ${type}[]
) RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
DECLARE
  v record;
BEGIN
  FOR v IN
    SELECT g.* FROM unnest(p_tenants, p_ids, p_workers, p_epochs, p_values) WITH ORDINALITY
      AS g (tenant, id, worker, epoch, value, nth)
    ORDER BY g.tenant, g.id, g.nth
  LOOP
    UPDATE haft.call c SET ${change}, version = c.version + 1
    WHERE c.tenant = v.tenant AND c.id = v.id AND c.worker = v.worker AND c.epoch = v.epoch AND ${condition};
    IF FOUND THEN
      RETURN NEXT v.nth;
    END IF;
  END LOOP;
END $$;
`;
}
