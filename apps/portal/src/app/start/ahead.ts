import { holdsAll, permissionsIn } from '../../parts/access/access-rules.ts'
import type { Permission } from '@longreach/authorization/permissions'
import { reportProblem } from '../../parts/api/problems.ts'
import { type Page, pageWords, type Search, type Section } from '../../parts/pages/section.ts'
import type { Language } from '../../parts/words/locale-rules.ts'
import { loadedWordFiles } from '../../parts/words/spoken-words.ts'
import { bundledWords } from '../../parts/words/words.ts'
import { sections } from '../../sections.ts'
import { keptLanguage } from '../session/kept-language.ts'
import { parseSearch } from '../shell/search-text.ts'

type Found = { section: Section; page: Page; params: Record<string, string>; search: Search }

/**
 * Let the page of a path come with its words and calls before anybody may see it; a path that is no
 * page's most likely leads home, to the devices.
 */
export async function pageAhead(path: string, language: Language) {
  const found = pageOf(path) ?? pageOf('/devices')
  if (found === undefined) return
  // A page names at once which words it needs beside those of its section.
  const page = found.page.load()
  await Promise.all([
    page,
    bundledWords(language, [...pageWords(found.section), ...loadedWordFiles(), 'errors']),
    import('../../parts/api/core-client.ts'),
    import('../../parts/api/mappings-client.ts'),
    import('../../parts/api/platform-client.ts'),
  ])
}

/**
 * Ask what the page of a path needs first, and for the person's language, as soon as there is a token
 * that grants something in the organization.
 */
export function askAhead(path: string, { org, claims }: { org: string; claims: unknown }) {
  const granted = new Set(permissionsIn(claims, org))
  if (granted.size === 0) return undefined
  const found = pageOf(path)
  if (found !== undefined && mayAsk(found, granted)) {
    const { params, search } = found
    found.page.load().then(
      ({ loader }) => loader?.({ org, reach: `${org}.*`, params, search }),
      (cause: unknown) => reportProblem('A page did not come ahead', cause),
    )
  }
  return { org, language: keptLanguage(org) }
}

/** Check of what section and page need: a call without the permission would be refused and logged. */
const mayAsk = ({ section, page }: Found, permissions: ReadonlySet<Permission>) =>
  holdsAll([['portal:access'], ...section.permissions, ...(page.permissions ?? [])], {
    permissions,
  })

function pageOf(path: string): Found | undefined {
  const { pathname, search } = new URL(path, 'http://portal')
  const all = sections.flatMap((section) => section.pages.map((page) => ({ section, page })))
  const found =
    all.find(({ page }) => page.path === pathname) ??
    all.find(({ page }) => paramsIn(page.path, pathname) !== undefined)
  return (
    found && {
      ...found,
      params: paramsIn(found.page.path, pathname) ?? {},
      search: parseSearch(search),
    }
  )
}

/** The parameters of a page's path in an address; undefined where it is not that page's. */
function paramsIn(pattern: string, path: string) {
  const [wanted, here] = [pattern.split('/'), path.split('/')]
  const fits =
    wanted.length === here.length &&
    wanted.every((part, at) => part.startsWith('$') || part === here[at])
  if (!fits) return undefined
  return Object.fromEntries(
    wanted.flatMap((part, at) =>
      part.startsWith('$') ? [[part.slice(1), decodeSegment(here[at] ?? '')]] : [],
    ),
  )
}

/** Text of a path segment; a malformed escape stays as it is written, as in the router. */
function decodeSegment(segment: string) {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
