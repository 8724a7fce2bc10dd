import { EmptyIconOfSection } from '@longreach/ui/EmptyState'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { rememberOpened } from '../../parts/pages/recent.ts'
import { useSession } from '../../parts/session/session.ts'
import { sections } from '../../sections.ts'

/** The page of the address; its empty places have the icon of its section. */
export function SectionOutlet() {
  const { pathname } = useLocation()
  const [section] = sections
    .filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)
  const session = useSession()
  const opened = section?.path === pathname && section.group !== undefined ? section.id : undefined
  useEffect(() => {
    if (opened !== undefined && opened !== 'overview') {
      rememberOpened(session, { kind: 'page', id: opened })
    }
  }, [session, opened])
  return (
    <EmptyIconOfSection value={section && <section.icon size={22} stroke={1.6} />}>
      <Outlet />
    </EmptyIconOfSection>
  )
}
