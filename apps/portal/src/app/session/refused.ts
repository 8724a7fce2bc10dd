import type { StaticDataRouteOption } from '@tanstack/react-router'
import type { Guarded, Lacking, Rights } from '../../parts/access/access-rules.ts'
import { lackingFor, mayEnter } from '../../parts/access/access-rules.ts'

/** A page that a person was kept out of: its section, the path they wanted, and what they lack for it. */
export type Refused = { section: string; path: string; lacking: Lacking }

declare module '@tanstack/react-router' {
  // What an entry of the browser's history carries beside its address.
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of the router
  interface HistoryState {
    refused?: Refused
  }
  // What a page's route tells of itself.
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of the router
  interface StaticDataRouteOption {
    guarded?: PageGuards
  }
}

/** The section of a page, and what must hold for it. */
type PageGuards = { section: string; guards: readonly Guarded[] }

type Opened = readonly { pathname: string; staticData: StaticDataRouteOption }[]

/** Missing conditions of the open page after a permission was lost; undefined while the person may see it. */
export function lostOn(opened: Opened, rights: Rights): Refused | undefined {
  const { pathname = '', staticData } = opened.at(-1) ?? {}
  return staticData?.guarded && lackingAt(staticData.guarded, pathname, rights)
}

/** Missing conditions of a page; undefined if the person may enter. */
export function lackingAt({ section, guards }: PageGuards, path: string, rights: Rights) {
  if (guards.every((guard) => mayEnter(guard, rights))) return undefined
  return { section, path, lacking: lackingForAll(guards, rights) } satisfies Refused
}

/** Missing conditions of all guards of a page. */
function lackingForAll(guards: readonly Guarded[], rights: Rights): Lacking {
  const all = guards.map((guard) => lackingFor(guard, rights))
  const groups = all.flatMap(({ permissions }) => permissions)
  const byText = new Map(groups.map((group) => [group.join(), group]))
  return { ...Object.assign({}, ...all), permissions: [...byText.values()] } as Lacking
}
