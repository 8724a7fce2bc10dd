import { lazy, Suspense } from 'react'
import type { Start } from './boot.ts'
import { DoorFrame } from './DoorFrame.tsx'
import { LoginPage } from './LoginPage.tsx'
import { OrganizationPage } from './OrganizationPage.tsx'
import { type InitialWords, Providers } from './Providers.tsx'
import { StartFailedPage } from './StartFailedPage.tsx'

const SetupPage = lazy(async () => ({ default: (await import('./SetupPage.tsx')).SetupPage }))

type Closed = Exclude<Start, { kind: 'portal' }>

/** What stands before the portal: first run, sign-in by organization name, organization selector. */
export function Door({ start, initial }: { start: Closed; initial: InitialWords }) {
  return (
    <Providers initial={initial}>
      <DoorFrame wide={start.kind === 'selector'}>
        <Suspense fallback={null}>{pageOf(start)}</Suspense>
      </DoorFrame>
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
    case 'selector':
      return <OrganizationPage choices={start.choices} />
  }
}
