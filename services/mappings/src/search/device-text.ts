import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { OrgCtx } from '@longreach/kit/service'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { toAsking } from '../asking.ts'
import { foldText, likePattern } from '@longreach/search-expression/text-pattern'

const mostWords = 10
const mostRelated = 500

type Word = {
  pattern: string
  /** The same for the beginnings of words, where the word is short. */
  beginning: string | undefined
  presets: string[]
  organizations: string[]
}
/** Words that a person typed; a device matches if every word is somewhere in it. */
type TextSearch = Word[]

/**
 * Find what devices are searched by but do not hold themselves: their preset and model, and the label
 * of their organization. Few of these are named by a word, so that devices are then found by index.
 */
export async function textSearch(
  { db, clients }: Pick<MappingsDeps, 'db' | 'clients'>,
  ctx: OrgCtx,
  search: string,
): Promise<TextSearch> {
  const words = search.split(/\s+/).filter((word) => word !== '')
  return Promise.all(
    words.slice(0, mostWords).map(async (word) => {
      const pattern = patternOf(word)
      const [presets, organizations] = await Promise.all([
        presetsLike(db, pattern),
        ctx.subtree ? organizationsLike(clients, ctx, word) : [],
      ])
      return { pattern, beginning: beginningOf(word), presets, organizations }
    }),
  )
}

/** Fewer than three characters are the beginning of a word. */
function patternOf(word: string) {
  const pattern = likePattern(word)
  if (word.includes('*')) return `%${pattern}%`
  return foldText(word).length < 3 ? `% ${pattern.slice(1)}` : pattern
}

/** A short word among the beginnings of a device's words, each of which stands between blanks. */
function beginningOf(word: string) {
  const text = foldText(word)
  const short = text.length > 0 && text.length < 3 && !/[\s*]/.test(text)
  return short ? `% ${likePattern(word).slice(1, -1)} %` : undefined
}

async function presetsLike(db: Kysely<MappingsDb>, pattern: string) {
  const rows = await db
    .selectFrom('preset')
    .select('id')
    .where(
      sql<boolean>`mappings.folded(' ' || preset.name || ' ' || preset.model_name) like ${pattern}`,
    )
    .limit(mostRelated)
    .execute()
  return rows.map(({ id }) => id)
}

async function organizationsLike(clients: MappingsDeps['clients'], ctx: OrgCtx, word: string) {
  const body = { ...toAsking(ctx), search: word }
  return (await clients.core.findPlaces({ body })).found
}

/**
 * The condition that a text means. The database asks from left to right: the words that few devices
 * have by their preset first, and of each word what is quickly compared before its text.
 */
export function hasWords(words: TextSearch): RawBuilder<boolean> {
  const rare = words.toSorted((one, other) => one.presets.length - other.presets.length)
  const parts = rare.map(({ pattern, beginning, presets, organizations }) => {
    const either = [
      ...(presets.length > 0 ? [sql<boolean>`device.preset_id = any(${presets}::text[])`] : []),
      ...(organizations.length > 0
        ? [sql<boolean>`device.organization = any(${organizations}::text[])`]
        : []),
      beginning === undefined
        ? sql<boolean>`device.search_text like ${pattern}`
        : sql<boolean>`device.search_beginnings like ${beginning}`,
    ]
    return sql<boolean>`(${sql.join(either, sql` or `)})`
  })
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}
