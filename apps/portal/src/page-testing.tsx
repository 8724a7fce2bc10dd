import { actions, type Permission, resources } from '@longreach/authorization/permissions'
import type { Call } from '@longreach/kit/client'
import type { Endpoint } from '@longreach/kit/contract'
import { Toasts } from '@longreach/ui/Toasts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cleanup, render } from 'vitest-browser-react'
import { Providers } from './app/start/Providers.tsx'
import {
  type Answers,
  answerCall,
  answerFetch,
  answerPaths,
  type Asked,
  type Reply,
} from './page-answers.ts'
import { portalRouter } from './app/shell/router.tsx'
import { sectionNames } from './app/shell/section-names.ts'
import { queries } from './parts/api/queries.ts'
import type { Language } from './parts/words/locale-rules.ts'
import type { Section } from './parts/pages/section.ts'
import { organizationOf } from './parts/session/organization-testing.ts'
import { type Session, SessionContext } from './parts/session/session.ts'
import { bundledWords } from './parts/words/words.ts'

export { desktop, faults, phone } from '@longreach/ui/ui-testing'
export { organizationOf as organization } from './parts/session/organization-testing.ts'

const everything = new Set(
  resources.flatMap((resource) => actions.map((action): Permission => `${resource}:${action}`)),
)

export const session = (more: Partial<Session> = {}): Session => ({
  realm: 'nordwerk',
  subject: 'a-subject',
  username: 'erika',
  displayName: 'Erika Mustermann',
  email: 'erika@nordwerk.example',
  impersonator: undefined,
  accountConsole: undefined,
  organization: organizationOf('nordwerk'),
  choices: 2,
  permissions: everything,
  resourceRoles: new Set(),
  endsAt: undefined,
  permissionsIn: async () => new Set(),
  enter: async () => undefined,
  choose: () => undefined,
  signInAgain: async () => undefined,
  signOut: async () => undefined,
  ...more,
})

/** Show something with the words, colours and letters of the portal: until its font is there, texts are wider. */
export async function show(element: ReactNode, language: Language = 'en') {
  await document.fonts.load("16px 'Inter Variable'")
  const initial = { language, words: await bundledWords(language) }
  return render(
    <Providers initial={initial} names={sectionNames}>
      {element}
    </Providers>,
  )
}

type Opened = {
  sections: readonly Section[]
  who?: Session
  now?: () => Session
  language?: Language
}

/** Open the portal of a session at a path, in place of what the test showed before; `now`: the session as the guards see it. */
export async function openPortal(
  path: string,
  { sections, who = session(), now = () => who, language = 'en' }: Opened,
) {
  await cleanup()
  history.replaceState(null, '', path)
  const router = portalRouter(sections, now)
  await show(
    <QueryClientProvider client={queries}>
      <SessionContext value={who}>
        <Toasts>
          <RouterProvider router={router} />
        </Toasts>
      </SessionContext>
    </QueryClientProvider>,
    language,
  )
  return router
}

/**
 * Answers a call of the API, `answer(api.core.users, () => …)`, from now on; the data has the type of the
 * contract. Given answers by `METHOD /path` it answers these and nothing from before. Any other call is
 * not found.
 */
export function answer(answers: Answers): void
export function answer<E extends Endpoint>(
  call: Call<E>,
  reply: (asked: Asked<E>) => Reply<E> | Response,
): void
export function answer<E extends Endpoint>(
  what: Answers | Call<E>,
  reply?: (asked: Asked<E>) => Reply<E> | Response,
) {
  globalThis.fetch = answerFetch
  if (reply === undefined) answerPaths(what as Answers)
  else answerCall(what as Call<E>, reply)
}

/** Elements that are cut off, outside of `within` or over their next sibling, by boxes; folded parts do not count. */
export function misplaced(within: Element) {
  const outer = within.getBoundingClientRect()
  const looked = 'button, a, li, p, summary, label, [role=tab]'
  return [...within.querySelectorAll(looked)]
    .filter((element) => element.getBoundingClientRect().width > 0 && !isFolded(element))
    .flatMap((element) => {
      const box = element.getBoundingClientRect()
      const name = `${element.tagName.toLowerCase()} “${element.textContent.trim().slice(0, 40)}”`
      const outside = box.left < outer.left - 1 || box.right > outer.right + 1
      return [
        ...(outside ? [`outside: ${name}`] : []),
        ...(isCut(element) ? [`cut: ${name}`] : []),
        ...(covers(box, element.nextElementSibling) ? [`over the next: ${name}`] : []),
      ]
    })
}

/** In a part that is not unfolded: drawn nowhere. */
export const isFolded = (element: Element) =>
  element.closest('[hidden], details:not([open]) > :not(summary)') !== null

const isCut = (element: Element) =>
  getComputedStyle(element).display !== 'inline' && element.scrollWidth > element.clientWidth + 1

function covers(box: DOMRect, next: Element | null) {
  const other = next?.getBoundingClientRect()
  if (!other || other.width === 0) return false
  const across = other.left < box.right - 1 && other.right > box.left + 1
  return across && other.top < box.bottom - 1 && other.bottom > box.top + 1
}
