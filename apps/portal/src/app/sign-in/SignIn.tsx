import { late } from '@longreach/ui/late'
import { Suspense } from 'react'
import type { Start } from '../start/boot.ts'
import { SignInFrame } from './SignInFrame.tsx'
import { LoginPage } from './LoginPage.tsx'
import { OrganizationPage } from './OrganizationPage.tsx'
import { type InitialWords, Providers } from '../start/Providers.tsx'
import { StartFailedPage } from './StartFailedPage.tsx'

const RegisterPage = late(() => import('./RegisterPage.tsx'), 'RegisterPage')
const AgreementsPage = late(() => import('./AgreementsPage.tsx'), 'AgreementsPage')
const SetupPage = late(() => import('./SetupPage.tsx'), 'SetupPage')
const NoWayPage = late(() => import('./NoWayPage.tsx'), 'NoWayPage')

const OtherPersonPage = late(() => import('./OtherPersonPage.tsx'), 'OtherPersonPage')

type Closed = Exclude<Start, { kind: 'portal' }>

const wide: readonly Closed['kind'][] = ['selector', 'agreements']

/** Pages before the portal: first run, sign-in by organization name, organization selector and others. */
export function SignIn({ start, initial }: { start: Closed; initial: InitialWords }) {
  return (
    <Providers initial={initial}>
      <SignInFrame wide={wide.includes(start.kind)}>
        <Suspense fallback={null}>{pageOf(start)}</Suspense>
      </SignInFrame>
    </Providers>
  )
}

function pageOf(start: Closed) {
  switch (start.kind) {
    case 'setup':
      return <SetupPage />
    case 'login':
      return <LoginPage problem={start.problem} />
    case 'failed':
      return <StartFailedPage problem={start.problem} />
    case 'no-way':
      return <NoWayPage problem={start.problem} home={start.home} />
    case 'other-person':
      return <OtherPersonPage {...start} />
    case 'register':
      return <RegisterPage />
    case 'agreements':
      return <AgreementsPage pending={start.pending} />
    case 'selector':
      return <OrganizationPage choices={start.choices} />
  }
}
