const hour = 3_600_000

/** Registrations in an hour: of one address, and from one network. */
export const mostOfAddress = 3
export const mostOfNetwork = 10
export const countedMs = hour
/** Lifetime of the link in the mail, in ms. */
export const confirmableMs = 24 * hour

/** Names that people could take for the installation itself, as the first part of a host name. */
const reserved = new Set(
  'master admin administrator api app apps auth broker device devices docs help identity login mail mqtt pairing platform portal root setup smtp status support svc system test www'.split(
    ' ',
  ),
)
export const isReserved = (name: string) => reserved.has(name)

/** One person's address however it is written: `Anna+x@Example.org` counts as `anna@example.org`. */
export function normalizeEmail(email: string) {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@')
  return `${local.split('+')[0]}@${domain}`
}

/** Ids of mandatory agreements in force that were not accepted, and accepted ids that are not in force. */
export function unmetAgreements<A extends { id: number; mandatory: boolean }>(
  current: readonly A[],
  given: readonly number[],
) {
  return {
    missing: current.filter(({ id, mandatory }) => mandatory && !given.includes(id)),
    unknown: given.filter((id) => !current.some((one) => one.id === id)),
  }
}
