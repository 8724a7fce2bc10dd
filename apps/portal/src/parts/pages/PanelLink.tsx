import { Anchor } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Search } from './section.ts'
import { useSearch } from './use-search.ts'
import { routerSearch } from './page-links.ts'

/** A name in a list that opens the panel of its thing, as its row does; what the address says otherwise stays. */
export function PanelLink({ opens, children }: { opens: Search; children: ReactNode }) {
  const [search] = useSearch()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <Anchor component={Link} to={pathname} search={routerSearch({ ...search, ...opens })} inherit>
      {children}
    </Anchor>
  )
}
