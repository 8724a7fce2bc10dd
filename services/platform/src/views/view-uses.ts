import { publish } from '@longreach/kit/events'
import { type ShownPath, viewEvents } from '@longreach/mappings/view-event-contract'
import type { Kysely } from 'kysely'
import type { ViewDb, ViewRow } from './view-store.ts'

/** Paths of models that the lines of a saved view show, each once. */
function shownPaths({ query }: Pick<ViewRow, 'query'>): ShownPath[] {
  const shown = Object.values(query)
    .flat()
    .flatMap((text) => shownPath(text) ?? [])
  return [...new Map(shown.map((one) => [`${one.model} ${one.path}`, one])).values()]
}

/** Path of a line, which the address has as `<device>/<Model:1/path>;options`. */
function shownPath(text: string): ShownPath | undefined {
  const [place = ''] = text.split(';')
  const [, model, path] = /^[^/;]+\/([^/;:]+):\d+\/(.+)$/.exec(place) ?? []
  if (model === undefined || path === undefined) return undefined
  return { model, path: path.replaceAll(/\[\d+\]/g, '[*]') }
}

/** Publishes a saved view, for the service that lists the uses of a model. */
export const publishView = (tx: Kysely<ViewDb>, row: ViewRow) => {
  const { id, organization, author, shared, name } = row
  const view = { organization, author, shared, name, shown: shownPaths(row) }
  return publish(tx, viewEvents.viewChanged, { id, view })
}

export const publishDeletedView = (tx: Kysely<ViewDb>, id: string) =>
  publish(tx, viewEvents.viewChanged, { id, view: null })

/** Publish views that were saved before such events existed, once, at the next start. */
export const publishEarlierViews = ({ db }: { db: Kysely<ViewDb> }) =>
  db.transaction().execute(async (tx) => {
    const earlier = await tx
      .deleteFrom('explorer_view_unpublished')
      .using('explorer_view')
      .whereRef('explorer_view.id', '=', 'explorer_view_unpublished.view_id')
      .returningAll('explorer_view')
      .execute()
    for (const row of earlier) await publishView(tx, row)
  })
