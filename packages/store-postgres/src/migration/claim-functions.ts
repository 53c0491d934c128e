/**
 * The two operations that need several statements, each with its own snapshot. As functions they take one round trip,
 * and every statement in them sees what was committed while it waited for a lock.
 */
export const CLAIM_FUNCTIONS = `
CREATE FUNCTION haft.claim_calls(
  p_worker text, p_limit integer, p_known_tenants text[], p_known_ids text[]
) RETURNS SETOF haft.call
LANGUAGE plpgsql AS $$
DECLARE
  v_tenant text;
BEGIN
  -- A claim that is lost in a crash of the server leaves the call in the queue: it need not wait for the disk.
  PERFORM set_config('synchronous_commit', 'off', true);
  -- One claimer per tenant at a time, so that its quota holds. Sorted, so that claimers never wait in a circle.
  FOR v_tenant IN
    SELECT DISTINCT w.tenant FROM haft.workspace w
    WHERE w.worker = p_worker AND EXISTS (
      SELECT 1 FROM haft.call c WHERE c.tenant = w.tenant AND c.workspace = w.id AND c.state = 'queued')
    ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('haft.claim ' || v_tenant, 0));
  END LOOP;
  -- Claims whose answer was lost.
  IF p_known_ids IS NOT NULL THEN
    RETURN QUERY
    SELECT c.* FROM haft.workspace w
    JOIN haft.call c ON c.tenant = w.tenant AND c.workspace = w.id AND c.state = 'preparing' AND c.epoch = w.epoch
    WHERE w.worker = p_worker AND NOT EXISTS (
      SELECT 1 FROM unnest(p_known_tenants, p_known_ids) AS k (tenant, id) WHERE k.tenant = c.tenant AND k.id = c.id);
  END IF;
  RETURN QUERY
  WITH load AS (
    SELECT held.tenant, coalesce(t.max_running, 64) AS max_running,
      (SELECT count(*) FROM haft.call c
       WHERE c.tenant = held.tenant AND c.state IN ('preparing', 'running')) AS active
    FROM (SELECT DISTINCT w.tenant FROM haft.workspace w WHERE w.worker = p_worker) held
    LEFT JOIN haft.tenant t ON t.id = held.tenant
  ), candidate AS (
    SELECT c.tenant, c.id, c.workspace, c.ord, load.active, load.max_running,
      row_number() OVER (PARTITION BY c.tenant ORDER BY c.ord) AS nth
    FROM load
    JOIN haft.workspace w ON w.tenant = load.tenant AND w.worker = p_worker
    CROSS JOIN LATERAL (
      SELECT q.tenant, q.id, q.workspace, q.ord FROM haft.call q
      WHERE q.tenant = w.tenant AND q.workspace = w.id AND q.state = 'queued'
      ORDER BY q.ord LIMIT p_limit) c
  ), chosen AS (
    SELECT * FROM candidate WHERE active + nth <= max_running ORDER BY active + nth, ord LIMIT p_limit
  ), held AS (
    -- Locked, so that nobody takes the workspace over before the claim is visible.
    SELECT w.tenant, w.id, w.epoch FROM haft.workspace w
    WHERE w.worker = p_worker AND (w.tenant, w.id) IN (SELECT x.tenant, x.workspace FROM chosen x)
    ORDER BY w.tenant, w.id FOR SHARE
  ), claimed AS (
    UPDATE haft.call c SET state = 'preparing', worker = p_worker, epoch = held.epoch, version = c.version + 1
    FROM chosen, held
    WHERE c.tenant = chosen.tenant AND c.id = chosen.id AND c.state = 'queued'
      AND held.tenant = chosen.tenant AND held.id = chosen.workspace
    RETURNING c.*
  )
  SELECT * FROM claimed ORDER BY ord;
END $$;

CREATE FUNCTION haft.lease_workspaces(
  p_worker text, p_tenants text[], p_ids text[], p_tenant_names text[], p_names text[], p_ttl interval
) RETURNS TABLE (tenant text, id text, epoch bigint, is_new boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz;
  v_alive_since timestamptz;
  v_may_take_over boolean;
BEGIN
  -- If nobody asked for a whole lease period, the server itself was away: holders get one period to come back.
  INSERT INTO haft.pulse AS p (last_beat, alive_since) VALUES (clock_timestamp(), clock_timestamp())
  ON CONFLICT (one) DO UPDATE SET last_beat = clock_timestamp(),
    alive_since = CASE WHEN clock_timestamp() - p.last_beat > p_ttl THEN clock_timestamp() ELSE p.alive_since END
  RETURNING alive_since INTO v_alive_since;
  v_now := clock_timestamp();
  v_may_take_over := v_now - v_alive_since >= p_ttl;
  RETURN QUERY
  INSERT INTO haft.workspace AS w (tenant, id, tenant_name, name, epoch, worker, expires_at, taken_at)
  SELECT g.tenant, g.id, g.tenant_name, g.name, 1, p_worker, v_now + p_ttl, v_now
  FROM unnest(p_tenants, p_ids, p_tenant_names, p_names) AS g (tenant, id, tenant_name, name)
  ORDER BY g.tenant, g.id
  ON CONFLICT (tenant, id) DO UPDATE SET
    epoch = CASE WHEN w.worker = p_worker THEN w.epoch ELSE w.epoch + 1 END,
    taken_at = CASE WHEN w.worker = p_worker THEN w.taken_at ELSE v_now END,
    worker = p_worker,
    expires_at = v_now + p_ttl
  WHERE w.worker IS NULL OR w.worker = p_worker OR (v_may_take_over AND w.expires_at < v_now)
  RETURNING w.tenant, w.id, w.epoch, w.taken_at = v_now;
  -- What a former holder left: nothing that had started runs again, unless it may be repeated.
  UPDATE haft.call c SET
    state = CASE WHEN l.fate = 'queued' THEN 'queued' ELSE 'settled' END,
    settlement = CASE l.fate
      WHEN 'unknown' THEN '{"outcome":"unknown","code":"UNKNOWN_OUTCOME"}'
      WHEN 'cancelled' THEN '{"outcome":"cancelled","code":"CANCELLED"}'
      WHEN 'lost' THEN '{"outcome":"error","code":"WORKER_LOST"}' END,
    settled_at = CASE WHEN l.fate = 'queued' THEN NULL ELSE v_now END,
    attempt = CASE WHEN l.fate = 'queued' THEN c.attempt + 1 ELSE c.attempt END,
    worker = CASE WHEN l.fate = 'queued' THEN NULL ELSE c.worker END,
    epoch = CASE WHEN l.fate = 'queued' THEN NULL ELSE c.epoch END,
    started_at = CASE WHEN l.fate = 'queued' THEN NULL ELSE c.started_at END,
    is_repeatable = CASE WHEN l.fate = 'queued' THEN NULL ELSE c.is_repeatable END,
    version = c.version + 1
  FROM (
    SELECT a.tenant, a.id, a.version, CASE
      WHEN a.state = 'running' AND a.is_repeatable IS NOT TRUE THEN 'unknown'
      WHEN a.cancelled_by IS NOT NULL THEN 'cancelled'
      WHEN a.attempt > 2 THEN 'lost'
      ELSE 'queued' END AS fate
    FROM haft.call a JOIN haft.workspace w ON w.tenant = a.tenant AND w.id = a.workspace
    WHERE a.state IN ('preparing', 'running') AND a.epoch <> w.epoch
      AND w.worker = p_worker AND w.taken_at = v_now
    ORDER BY a.tenant, a.id FOR UPDATE OF a
  ) l
  WHERE c.tenant = l.tenant AND c.id = l.id;
  UPDATE haft.call c SET state = 'settled', settled_at = v_now, version = c.version + 1,
    settlement = '{"outcome":"error","code":"WORKSPACE_UNAVAILABLE"}'
  FROM haft.workspace w
  WHERE w.worker = p_worker AND w.expires_at = v_now + p_ttl AND c.tenant = w.tenant AND c.workspace = w.id
    AND c.state = 'queued' AND c.approval_id IS NULL
    AND c.submitted_at + c.max_queued_ms * interval '1 millisecond' < v_now;
END $$;
`;
