import { type Kysely, sql } from 'kysely'
import type { ServiceDb } from '../database.ts'

type Db = Kysely<ServiceDb>

/** Versions of blocks in a range; those of a range are of one process. */
const rangeSize = 1_000_000
const versionRange = (version: number) => Math.floor((version - 1) / rangeSize)

/** Notes that blocks and all before them in their ranges were judged. */
export async function saveProgress(tx: Db, versions: readonly number[], at: Date) {
  const newest = new Map<number, number>()
  for (const version of versions) {
    newest.set(versionRange(version), Math.max(version, newest.get(versionRange(version)) ?? 0))
  }
  await sql`insert into platform.rule_progress (range, version, at)
    select range, version, ${at} from unnest(${[...newest.keys()]}::int[],
      ${[...newest.values()]}::bigint[]) as g (range, version) order by range
    on conflict (range) do update set version = greatest(rule_progress.version, excluded.version),
      at = excluded.at`.execute(tx)
}

/** Blocks of which not all values were judged. */
export async function unjudgedBlocks(db: Db, versions: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ version: number }>`
    select g.version from unnest(${[...versions]}::bigint[],
      ${versions.map(versionRange)}::int[]) as g (version, range)
    left join platform.rule_progress p using (range)
    where p.version is null or p.version < g.version`.execute(db)
  return new Set(rows.map(({ version }) => version))
}

/** Has devices judged again from the store; of those that no rule judges nothing is noted. */
export async function noteUnjudged(
  db: Db,
  since: ReadonlyMap<string, number>,
  versions: readonly number[],
  at: Date,
) {
  await db.transaction().execute(async (tx) => {
    await sql`with given as (
        select d.device_id, g.since from platform.rule_device d
        join unnest(${[...since.keys()]}::text[], ${[...since.values()]}::float8[])
          as g (device_id, since) using (device_id)
        order by d.device_id for update of d)
      update platform.rule_device d set again_since = least(d.again_since, g.since),
        due_at = clock_timestamp(), seq = d.seq + 1
      from given g where d.device_id = g.device_id`.execute(tx)
    await saveProgress(tx, versions, at)
  })
}

/** Devices of a process that are to be judged again, as another one has noted. */
export async function devicesToJudgeAgain(db: Db, node: number): Promise<string[]> {
  const rows = await db
    .selectFrom('rule_device')
    .select('device_id')
    .where('node', '=', node)
    .where('again_since', 'is not', null)
    .execute()
  return rows.map(({ device_id: id }) => id)
}

/** Ranges whose blocks are long gone. */
export const cleanupProgress = (db: Db, now: Date) =>
  db
    .deleteFrom('rule_progress')
    .where('at', '<', new Date(now.getTime() - 7 * 86_400_000))
    .execute()
