import { late } from '@longreach/ui/late'
import { HeadingShown } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useRouterState } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useNarrow } from '@longreach/ui/use-narrow'
import { OpenPalette } from '../../parts/pages/palette.ts'
import { inBrowser } from '../../parts/kept/remembered.ts'
import { useServerReach } from '../../parts/api/server-reach.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { ActingAsBanner } from './ActingAsBanner.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { Navigation } from './Navigation.tsx'
import { firstPageIsHere } from '../start/coming.ts'
import { lostOn } from '../session/refused.ts'
import { SectionOutlet } from './SectionOutlet.tsx'
import { SessionEndNotice } from '../session/SessionEndNotice.tsx'
import classes from './Shell.module.css'
import { TopBar } from './TopBar.tsx'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { withWords } from '../../parts/words/spoken-words.ts'

const InsideBanner = late(() => import('./InsideBanner.tsx'), 'InsideBanner')
const RefusedNotice = late(
  () => withWords(import('./RefusedNotice.tsx'), 'access'),
  'RefusedNotice',
)
const AlarmWatch = late(async () => {
  await firstPageIsHere()
  return import('../../parts/alarms/AlarmWatch.tsx')
}, 'AlarmWatch')
const NavigationDrawer = late(() => import('./NavigationDrawer.tsx'), 'NavigationDrawer')

/** Menu, top bar, and the page of the address between them. */
export function Shell() {
  const t = useWords()
  const narrow = useNarrow()
  const [wide, setWide] = useState(() => inBrowser.get('menu', true))
  const [drawer, setDrawer] = useState(false)
  const toggleMenu = useCallback(() => {
    if (narrow) return setDrawer((open) => !open)
    setWide((open) => {
      inBrowser.set('menu', !open)
      return !open
    })
  }, [narrow])
  const { reachable } = useServerReach()
  const headed = useFocusOnNavigation()
  const overlay = useShortcuts(toggleMenu)
  return (
    <div className={classes.shell} data-menu={narrow ? 'drawer' : wide ? 'wide' : 'hidden'}>
      <a className={classes.skip} href="#page">
        {t('shell.skip')}
      </a>
      {narrow ? drawer && <LateDrawer onClose={() => setDrawer(false)} /> : wide && <Navigation />}
      <div className={classes.work}>
        <TopBar onMenu={toggleMenu} menuOpen={narrow ? drawer : wide} open={overlay.open} />
        <ActingAsBanner />
        <InsideBanner />
        <LateNotice />
        <main
          id="page"
          className={classes.page}
          data-away={reachable ? undefined : true}
          tabIndex={-1}
        >
          <HeadingShown value={headed}>
            <OpenPalette value={() => overlay.open('palette')}>
              <SectionOutlet />
            </OpenPalette>
          </HeadingShown>
        </main>
      </div>
      <LateWatch />
      <ConnectionBanner />
      <SessionEndNotice />
      {overlay.element}
    </div>
  )
}

/** Few people are ever kept out of a page, or lose the right to it, so only they load what says so. */
function LateNotice() {
  const session = useSession()
  const refused = useRouterState({ select: ({ location }) => location.state.refused })
  const opened = useRouterState({ select: ({ matches }) => matches })
  const lost = lostOn(opened, session)
  if (lost === undefined && refused === undefined) return null
  return (
    <>
      {lost && <RefusedNotice refused={lost} lost />}
      {!lost && refused && <RefusedNotice refused={refused} />}
    </>
  )
}

/** Alarms are followed on every page, for people who may read them. */
function LateWatch() {
  const may = useMay()
  const { dataEnabled } = useSession().organization
  return dataEnabled && may('alarms:read') ? <AlarmWatch /> : null
}

/** Only phones have the drawer, so only they load it. */
const LateDrawer = ({ onClose }: { onClose: () => void }) => <NavigationDrawer onClose={onClose} />
