import { useWords } from '@longreach/ui/use-words'
import { Tabs } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { useChosen } from './organization-calls.ts'

const pages = [
  { path: '/organizations', word: 'organizations.page.tree' },
  { path: '/organizations/resources', word: 'organizations.page.resources' },
] as const

/** The pages of the section; the chosen organization stays. Consumption comes with licenses and has an address only. */
export function SectionTabs() {
  const t = useWords()
  const at = useChosen()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <Tabs value={pathname}>
      <Tabs.List>
        {pages.map(({ path, word }) => (
          <Tabs.Tab
            key={path}
            value={path}
            renderRoot={(props) => <Link to={path} search={{ at }} {...props} />}
          >
            {t(word)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}
