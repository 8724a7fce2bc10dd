import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { type Guarded, holdsRole } from '../../parts/access/access-rules.ts'
import { arrive } from '../../parts/api/arrive.ts'
import { openAnew } from '../start/newer-files.ts'
import { setKnownSections } from '../../parts/pages/known-sections.ts'
import { inTab } from '../../parts/kept/remembered.ts'
import { type Page, pageWords, type Search, type Section } from '../../parts/pages/section.ts'
import type { Session } from '../../parts/session/session.ts'
import { ErrorPage } from './ErrorPage.tsx'
import { anyPath, homePath } from './home-rules.ts'
import { lackingAt, type Refused } from '../session/refused.ts'
import { NotFoundPage } from './NotFoundPage.tsx'
import { PagePending } from './PagePending.tsx'
import { parseSearch, stringifySearch } from './search-text.ts'
import { chosenStartPage } from '../../parts/look/start-page.ts'
import { Shell } from './Shell.tsx'
import { needWords } from '../../parts/words/spoken-words.ts'

const UnauthorizedPage = lazyRouteComponent(
  () => arrive(() => import('./UnauthorizedPage.tsx')),
  'UnauthorizedPage',
)
const DirectAccessPage = lazyRouteComponent(
  () => arrive(() => import('./DirectAccessPage.tsx')),
  'DirectAccessPage',
)

/**
 * The portal's routes: fixed ones, and those of the sections with their guards, which ask for the
 * session as it is when somebody goes somewhere.
 */
export function portalRouter(sections: readonly Section[], sessionNow: () => Session) {
  setKnownSections(sections)
  const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage })
  const goHome = (refused?: Refused) => {
    const state = refused && { refused }
    const session = sessionNow()
    throw redirect({
      to: homePath(sections, session, startPageIn(session)),
      replace: true,
      ...(state && { state }),
    })
  }
  const fixed = [
    ...['/', '/home', '/organization', '/login'].map((path) =>
      createRoute({ getParentRoute: () => root, path, beforeLoad: () => goHome() }),
    ),
    createRoute({ getParentRoute: () => root, path: '/404', component: NotFoundPage }),
    createRoute({
      getParentRoute: () => root,
      path: '/unauthorized',
      component: UnauthorizedPage,
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/directaccess',
      beforeLoad: () => {
        const open = anyPath(sections, sessionNow())
        if (open !== undefined) throw redirect({ to: open, replace: true })
      },
      loader: () => needWords('directaccess', 'access'),
      component: DirectAccessPage,
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/users',
      beforeLoad: () => {
        const people = sections.find(({ id }) => id === 'permission')
        throw redirect({ to: people?.path ?? '/404', replace: true })
      },
    }),
  ]
  let openPath = (): string | undefined => undefined
  const own = sections.flatMap((section) =>
    section.pages.map((page) =>
      createRoute({
        getParentRoute: () => root,
        path: page.path,
        staticData: { guarded: { section: section.id, guards: guardsOf(section, page) } },
        beforeLoad: ({ location: { href, pathname } }) => {
          // An open page stays, as it may have unsaved changes; the shell shows that a permission was lost.
          if (pathname === openPath()) return
          const session = sessionNow()
          const guards = guardsOf(section, page)
          const lost = lackingAt({ section: section.id, guards }, href, session)
          if (lost) goHome(lost)
          if (!guards.every((guard) => holdsRole(guard, session))) {
            throw redirect({ to: '/unauthorized', replace: true })
          }
        },
        // Without `loaderDeps`: a change of the search keeps the page that is shown, and loads nothing anew.
        loader: broughtPage(section, page, sessionNow),
        component: lazyRouteComponent(() => arrive(page.load), 'Component'),
      }),
    ),
  )
  const router = createRouter({
    routeTree: root.addChildren([...fixed, ...own]),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: ErrorPage,
    scrollRestoration: true,
  })
  openPath = () => router.state.resolvedLocation?.pathname
  return router
}

type Brought = {
  params: Record<string, string>
  location: { search: Search }
  preload: boolean
  cause: 'enter' | 'stay' | 'preload'
}

/** Brings a page's code and words, and starts its calls when it is entered, beside the words. */
const broughtPage =
  (section: Section, page: Page, sessionNow: () => Session) =>
  async ({ params, location: { search }, preload, cause }: Brought) => {
    const comes = arrive(page.load).catch((cause: unknown) => {
      if (preload) throw cause
      return openAnew(cause)
    })
    const started = comes.then(({ loader }) => {
      const org = sessionNow().organization.resourceId
      if (cause === 'enter') loader?.({ org, reach: `${org}.*`, params, search })
    })
    await Promise.all([started, needWords(...pageWords(section))])
    if (!preload) inTab.drop('openedAnew')
  }

/** The start page that the person chose, else their organization's. */
const startPageIn = ({ organization }: Session) => chosenStartPage() ?? organization.startPage

/** Conditions to enter a page: those of its section and its own. */
const guardsOf = (section: Section, page: Page): readonly Guarded[] => [
  section,
  { ...section, ...page, permissions: page.permissions ?? [] },
]
