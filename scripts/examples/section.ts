import type { Addition } from '../project-copy.ts'

/** Section with one page that shows its name. */
export const section: Addition = {
  files: {
    'apps/portal/src/sections/notes/section.ts': `import { IconNotes } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const section: Section = {
  id: 'notes',
  path: '/notes',
  icon: IconNotes,
  name: { en: 'Notes', de: 'Notizen', es: 'Notas', fr: 'Notes', it: 'Note' },
  group: 'monitor',
  order: 42,
  permissions: [['devices:read']],
  pages: [{ path: '/notes', load: () => import('./NotesPage.tsx') }],
}
`,
    'apps/portal/src/sections/notes/message-ids.ts': `import type { IdsOf } from '@longreach/ui/use-words'
import type words from './locales/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds extends IdsOf<'notes', typeof words> {}
}
`,
    'apps/portal/src/sections/notes/NotesPage.tsx': `import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'

/** Page of notes. */
export function Component() {
  const t = useWords()
  return (
    <Page>
      <PageHeader title={t('shell.section.notes')} help={t('notes.help')} />
    </Page>
  )
}
`,
    ...Object.fromEntries(
      Object.entries({
        en: 'Notes about devices',
        de: 'Notizen zu Geräten',
        es: 'Notas sobre dispositivos',
        fr: 'Notes sur les appareils',
        it: 'Note sui dispositivi',
      }).map(([language, help]) => [
        `apps/portal/src/sections/notes/locales/${language}.json`,
        `${JSON.stringify({ help }, undefined, 2)}\n`,
      ]),
    ),
    'apps/portal/src/sections/notes/notes.test.ts': `import { expect, test, vi } from 'vitest'
import { homePath } from '../../app/shell/home-rules.ts'
import { sections } from '../../sections.ts'

test('the section is found, stands behind the data explorer, and its address leads to its page', async () => {
  const ids = sections.map(({ id }) => id)
  expect(ids.indexOf('notes')).toBe(ids.indexOf('data-explore') + 1)
  vi.stubGlobal('window', new EventTarget()) // the shell listens to keys when it is loaded
  const { portalRouter } = await import('../../app/shell/router.tsx')
  const router = portalRouter(sections, () => {
    throw new Error('nobody is asked')
  })
  const found = router.matchRoutes('/notes', {}).at(-1)
  expect(found?.staticData).toMatchObject({ guarded: { section: 'notes' } })
  const page = await sections.find(({ id }) => id === 'notes')?.pages[0]?.load()
  expect(page?.Component).toBeTypeOf('function')
  const organization = { dataEnabled: true, vpnEnabled: true }
  const permissions = new Set(['portal:access', 'devices:read'] as const)
  expect(homePath(sections, { permissions, organization })).toBe('/devices')
})
`,
  },
  edits: [],
}
