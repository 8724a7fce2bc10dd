import {
  type AgreementType,
  agreementsService,
  type NewAgreement,
  noticesService,
} from './agreement-contract.ts'

type Version = {
  service_name: string
  type: AgreementType
  version: number
  disabled: boolean
  validity_start: Date
  validity_end: Date | null
}

/** The name under which clients ask for a type, unless its maker gave another. */
export const serviceOf = ({ type, serviceName }: Pick<NewAgreement, 'type' | 'serviceName'>) =>
  serviceName ?? (type === 'MAINTENANCE' ? noticesService : agreementsService)

/** Is this version one that people may be asked to accept now? */
const isValid = (one: Version, now: Date) =>
  !one.disabled &&
  one.validity_start <= now &&
  (one.validity_end === null || one.validity_end > now)

/** Versions in force: of each service and type the newest that is valid now. */
export function versionsInForce<V extends Version>(versions: readonly V[], now: Date): V[] {
  const newest = new Map<string, V>()
  for (const one of versions) {
    const key = `${one.service_name} ${one.type}`
    const known = newest.get(key)
    if (isValid(one, now) && (known === undefined || one.version > known.version)) {
      newest.set(key, one)
    }
  }
  return [...newest.values()]
}

/** Says something to read: in some language, or elsewhere. */
export const saysSomething = ({ link, texts }: Pick<NewAgreement, 'link' | 'texts'>) =>
  link !== '' || Object.values(texts).some((one) => one !== undefined && one.text !== '')
