import type { Start } from './boot.ts'
import { type InitialWords, Providers } from './Providers.tsx'

type DoorProps = { start: Exclude<Start, { kind: 'portal' }>; initial: InitialWords }

/** What stands before the portal: first run, sign-in by organization name, organization selector. */
export function Door({ start, initial }: DoorProps) {
  return <Providers initial={initial}>{start.kind}</Providers>
}
