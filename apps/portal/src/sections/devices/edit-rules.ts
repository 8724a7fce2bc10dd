import type { MessageId } from '@longreach/ui/use-words'
import type { Device } from './device-calls.ts'

/** The fields of a device as they are typed. */
export type EditDraft = {
  label: string
  serialNumber: string
  description: string
  tags: string[]
  lat: string
  lon: string
}

type Edited = Pick<Device, 'label' | 'serialNumber' | 'description' | 'tags' | 'position'>

export const draftOf = ({ position, ...device }: Edited): EditDraft => ({
  label: device.label,
  serialNumber: device.serialNumber,
  description: device.description,
  tags: device.tags,
  lat: position ? String(position.lat) : '',
  lon: position ? String(position.lon) : '',
})

/** Degrees with a dot or a comma; undefined for what is no number within the limit. */
function degreesOf(text: string, limit: number) {
  const number = Number(text.trim().replace(',', '.'))
  return text.trim() !== '' && Math.abs(number) <= limit ? number : undefined
}

/** Message of each fault, by field. */
export function faultsOf({
  label,
  lat,
  lon,
}: EditDraft): Partial<Record<keyof EditDraft, MessageId>> {
  const nowhere = lat.trim() === '' && lon.trim() === ''
  return {
    ...(label.trim() === '' && { label: 'devices.labelNeeded' }),
    ...(!nowhere && degreesOf(lat, 90) === undefined && { lat: 'devices.latitudeWrong' }),
    ...(!nowhere && degreesOf(lon, 180) === undefined && { lon: 'devices.longitudeWrong' }),
  }
}

/** Body of the request that saves the draft; with the position only when it changed. */
export function patchOf(draft: EditDraft, device: Edited) {
  const lat = degreesOf(draft.lat, 90)
  const lon = degreesOf(draft.lon, 180)
  const position = lat === undefined || lon === undefined ? null : { lat, lon }
  const moved = position?.lat !== device.position?.lat || position?.lon !== device.position?.lon
  return {
    label: draft.label.trim(),
    serialNumber: draft.serialNumber.trim(),
    description: draft.description,
    tags: draft.tags,
    ...(moved && { position }),
  }
}
