import type { Guarded, Lacking, Rights } from '../lib/access-rules.ts'
import { lackingFor } from '../lib/access-rules.ts'

/** A page that a person was kept out of: its section, the path they wanted, and what they lack for it. */
export type Refused = { section: string; path: string; lacking: Lacking }

declare module '@tanstack/react-router' {
  // What an entry of the browser's history carries beside its address.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface HistoryState {
    refused?: Refused
  }
}

/** All that is missing for a page that several guards keep. */
export function lackingForAll(guards: readonly Guarded[], rights: Rights): Lacking {
  const all = guards.map((guard) => lackingFor(guard, rights))
  const groups = all.flatMap(({ permissions }) => permissions)
  const byText = new Map(groups.map((group) => [group.join(), group]))
  return { ...Object.assign({}, ...all), permissions: [...byText.values()] } as Lacking
}
