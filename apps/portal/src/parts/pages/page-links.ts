import type { Search } from './section.ts'

/**
 * Pages that links lead to with parameters or search, and the keys of search that they read. A section adds its own
 * in `section.ts`; a link to another page, or with a key that the page does not read, does not compile.
 */
// oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface takes what sections add
export interface PageAddresses {
  '/home': Search
}

type Name<Text extends string> = Text extends `${infer First}/${infer Rest}`
  ? Name<First> | Name<Rest>
  : Text extends `$${infer Parameter}`
    ? Parameter
    : never

type ParametersOf<To extends string> = [Name<To>] extends [never]
  ? { params?: undefined }
  : { params: Record<Name<To>, string> }

/** Search of a page, and that of the present page which stays beside it. */
type Searches<Own> = { search?: Own; keep?: Search }
type Parts = Searches<Search> & { params?: Record<string, string> | undefined }
type Linked = { to: string; search: never }

/** Properties of a link to a page, or of a navigation: its address and its search. */
export function linkTo<To extends keyof PageAddresses>(
  to: To,
  parts: ParametersOf<To> & Searches<PageAddresses[To]>,
): Linked
export function linkTo(to: string, { params = {}, search, keep }: Parts): Linked {
  const address = to.replaceAll(/\$(\w+)/g, (_, name: string) => params[name] ?? '')
  return { to: address, search: routerSearch({ ...keep, ...search }) }
}

/** Search as the router takes it: its types know no page, as the tree of routes is made from data. */
export const routerSearch = (search: Search) => search as never
