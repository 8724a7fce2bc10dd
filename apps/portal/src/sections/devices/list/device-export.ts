import type { Translate } from '@longreach/ui/use-words'
import { errorBody } from '@longreach/kit/contract'
import { AppError } from '@longreach/kit/errors'
import { mappingsContract } from '@longreach/mappings/contract'
import { saveFile } from '../../../parts/tables/save-file.ts'
import { authorizedFetch } from '../../../parts/api/send.ts'
import type { questionOf } from '../../../parts/devices/device-filters.ts'

const columns = [
  ['label', 'devices.device'],
  ['deviceId', 'devices.id'],
  ['serialNumber', 'devices.serial'],
  ['description', 'devices.description'],
  ['orgResourceId', 'devices.organization'],
  ['tags', 'devices.tags'],
  ['connected', 'devices.online'],
  ['lastConnUpdateAt', 'devices.connectionChanged'],
  ['presetName', 'devices.preset'],
  ['modelName', 'devices.model'],
  ['modelVersion', 'devices.modelVersion'],
  ['configurationError', 'devices.failed'],
  ['position.lat', 'devices.latitude'],
  ['position.lon', 'devices.longitude'],
  ['creationDate', 'devices.created'],
  ['updatedAt', 'devices.changed'],
] as const

type Options = {
  /** Only these; else all that match. */
  ids: string[] | undefined
  t: Translate
  zone: string
}

/** Saves devices as a CSV file: those picked, or all that match, in the order of the list. */
export async function exportDevices(
  { organization, orderBy, orderDir, ...question }: ReturnType<typeof questionOf>,
  { ids, t, zone }: Options,
) {
  const address = `${mappingsContract.base}/devices/export?organization=${encodeURIComponent(organization)}`
  const answer = await authorizedFetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      question,
      ids,
      orderBy,
      orderDir,
      timezone: zone,
      columns: columns.map(([field, word]) => ({ field, label: t(word) })),
    }),
  })
  if (!answer.ok) throw await refusalOf(answer)
  saveFile(`devices-${new Date().toISOString().slice(0, 10)}.csv`, [await answer.blob()])
}

/** Error of the server, told by its code as that of any other call. */
async function refusalOf(answer: Response) {
  const body = errorBody.safeParse(await answer.json().catch(() => undefined)) // not JSON: told by the status
  return body.success
    ? new AppError(answer.status, body.data.code, body.data.details)
    : new AppError(answer.status, 'unexpected_response')
}
