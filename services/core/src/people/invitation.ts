import type { CoreDeps } from '../deps.ts'
import type { Invitation } from './user-contract.ts'

type Place = { resourceId: string; label: string }

/** A link on which the person sets a password, mailed where there is a mail server and an address. */
export async function inviteToSetPassword(
  { clients }: Pick<CoreDeps, 'clients'>,
  { resourceId, label }: Place,
  { sub }: { sub: string },
): Promise<Invitation> {
  const { mailed, url } = await clients.identity.oneTimeLink({
    params: { sub },
    body: { purpose: 'invitation', organization: { resourceId, label } },
  })
  return { mailed, ...(url !== undefined && { link: url }) }
}
