import type { Language } from '../../parts/words/locale-rules.ts'
import { pageWords } from '../../parts/pages/section.ts'
import { spokenParts } from '../../parts/words/spoken-words.ts'
import { bundledWords } from '../../parts/words/words.ts'
import { sections } from '../../sections.ts'

const fits = (pattern: string, path: string) => {
  const [wanted, here] = [pattern.split('/'), path.split('/')]
  return (
    wanted.length === here.length &&
    wanted.every((part, at) => part.startsWith('$') || part === here[at])
  )
}

/**
 * Let the page of a path come with its words and calls before anybody may see it; a path that is no
 * page's most likely leads home, to the devices.
 */
export async function pageAhead(path: string, language: Language) {
  const [pathname = ''] = path.split(/[?#]/)
  const all = sections.flatMap((section) => section.pages.map((page) => ({ section, page })))
  const found =
    all.find(({ page }) => page.path === pathname) ??
    all.find(({ page }) => fits(page.path, pathname)) ??
    all.find(({ section }) => section.id === 'devices')
  if (found === undefined) return
  // A page names at once which words it needs beside those of its section.
  const page = found.page.load()
  await Promise.all([
    page,
    bundledWords(language, [...pageWords(found.section), ...spokenParts(), 'errors']),
    import('../../parts/api/core-client.ts'),
    import('../../parts/api/mappings-client.ts'),
    import('../../parts/api/platform-client.ts'),
  ])
}
