import { useWords } from '@longreach/ui/use-words'
import { PageTabs } from '../../parts/pages/PageTabs.tsx'

const pages = [
  { path: '/permission', word: 'permission.people' },
  { path: '/permission/groups', word: 'permission.groups' },
  { path: '/permission/roles', word: 'permission.holders' },
] as const

/** People, groups, and who holds which role. */
export function SectionTabs() {
  const t = useWords()
  const tabs = pages.map(({ path, word }) => ({ path, name: t(word) }))
  return <PageTabs label={t('shell.section.permission')} tabs={tabs} />
}
