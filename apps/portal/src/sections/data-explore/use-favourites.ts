import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../lib/api.ts'
import { queries } from '../../lib/queries.ts'
import { useSession } from '../../lib/session.ts'

/** A value that the person marked. */
export type Favourite = { device: string; path: string }

const serviceName = 'data-explore.favourites'
/** More are no favourites, and would not fit what a preference may hold. */
const most = 60

/** The values that a person marked in this organization; kept with the person, on every machine. */
export function useFavourites() {
  const org = useSession().organization.resourceId
  const question = query(api.core.userPreferences, { params: { org }, query: { serviceName } })
  const { data } = useQuery(question)
  const favourites = readFavourites(data?.[0]?.value)
  const keep = async (next: readonly Favourite[]) => {
    const value = JSON.stringify(next)
    // Shown at once; what the server keeps is asked again afterwards.
    queries.setQueryData(question.queryKey, [
      { id: 0, orgResourceId: org, username: '', serviceName, value, value1: value },
    ])
    await api.core.setUserPreference({ params: { org }, body: { serviceName, value } })
  }
  const has = ({ device, path }: Favourite) =>
    favourites.some((one) => one.device === device && one.path === path)
  return {
    favourites,
    has,
    toggle: (favourite: Favourite) =>
      keep(
        has(favourite)
          ? favourites.filter(
              ({ device, path }) => device !== favourite.device || path !== favourite.path,
            )
          : [...favourites, favourite].slice(-most),
      ),
  }
}

/** Favourites from what was kept; what does not read as some is none. */
export function readFavourites(text: string | undefined): Favourite[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isFavourite).slice(0, most) : []
  } catch {
    return [] // another program wrote it
  }
}

const isFavourite = (value: unknown): value is Favourite =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Favourite).device === 'string' &&
  typeof (value as Favourite).path === 'string'
