import type { Language } from '../lib/locale-rules.ts'
import { pageWords } from '../lib/section.ts'
import { bundledWords } from '../lib/words.ts'
import { sections } from '../sections.ts'

const fits = (pattern: string, path: string) => {
  const [wanted, here] = [pattern.split('/'), path.split('/')]
  return (
    wanted.length === here.length &&
    wanted.every((part, at) => part.startsWith('$') || part === here[at])
  )
}

/**
 * Let the page of a path come with its words and calls before anybody may see it; a path that is no
 * page's most likely leads home, to the first section.
 */
export async function pageAhead(path: string, language: Language) {
  const [pathname = ''] = path.split(/[?#]/)
  const all = sections.flatMap((section) => section.pages.map((page) => ({ section, page })))
  const found =
    all.find(({ page }) => page.path === pathname) ??
    all.find(({ page }) => fits(page.path, pathname)) ??
    all[0]
  if (found === undefined) return
  await Promise.all([
    found.page.load(),
    bundledWords(language, [...pageWords(found.section), 'errors']),
    import('../lib/core-client.ts'),
    import('../lib/mappings-client.ts'),
    import('../lib/platform-client.ts'),
  ])
}
