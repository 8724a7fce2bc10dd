import { Drawer } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Navigation } from './Navigation.tsx'

/** The menu of a phone, over the page until a section is chosen. */
export function NavigationDrawer({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const opened = useRef(pathname)
  useEffect(() => {
    if (pathname !== opened.current) onClose()
  }, [pathname, onClose])
  return (
    <Drawer.Root opened onClose={onClose} size={272} padding={0}>
      <Drawer.Overlay backgroundOpacity={0.45} />
      <Drawer.Content aria-label={t('shell.menu')}>
        <Navigation />
      </Drawer.Content>
    </Drawer.Root>
  )
}
