import { accountEndpoints } from '../accounts/account-contract.ts'
import { accountHandlers } from '../account/account-handlers.ts'
import { accountBySub } from '../accounts/account-store.ts'
import { type AdminCall, AdminError, noSuchClient, read } from './admin-call.ts'
import { clientOf, NewClient, publicClientOf, userOf } from './admin-representation.ts'
import { record } from './admin-users.ts'
import { renewAccountClientSecret } from '../clients/account-client.ts'
import { usernameOfService } from '../clients/client-rules.ts'
import { type ClientRow, findClient } from '../clients/client-store.ts'
import { oauthClients } from '../clients/oauth-clients.ts'

/** GET clients: public clients of every realm, then clients of service accounts. */
export async function clients({ deps, realm, request }: AdminCall) {
  const { clientId } = request.query as { clientId?: unknown }
  const open = oauthClients(realm.origin)
    .filter(({ client_id }) => clientId === undefined || client_id === clientId)
    .map(({ client_id, redirect_uris }) => publicClientOf(client_id, redirect_uris))
  const rows = await deps.db
    .selectFrom('client')
    .selectAll()
    .where('realm', '=', realm.name)
    .$if(typeof clientId === 'string', (query) => query.where('client_id', '=', clientId as string))
    .orderBy('client_id')
    .limit(1000)
    .execute()
  return [...open, ...rows.map((row) => clientOf(row, true))]
}

export async function client(call: AdminCall) {
  const name = call.param('client')
  const open = oauthClients(call.realm.origin).find(({ client_id }) => client_id === name)
  if (open) return publicClientOf(open.client_id, open.redirect_uris)
  const { row, account } = await requireServiceClient(call)
  return clientOf(row, account.enabled)
}

/** POST clients: create a service account, the only kind of client that can be created. */
export async function createClient(call: AdminCall) {
  const { deps, realm, request, reply, ctx } = call
  const { clientId, enabled } = read(NewClient, request.body)
  if (await findClient(deps.db, realm.name, clientId)) {
    throw new AdminError(409, { errorMessage: `Client ${clientId} already exists` })
  }
  const username = usernameOfService(clientId) ?? ''
  const facts = { realm: realm.name, username, serviceAccount: true, enabled: enabled ?? true }
  const body = accountEndpoints.createAccount.body.parse(facts)
  const made = await accountHandlers(deps).createAccount({ body }, ctx)
  await record(call, 'create', { sub: (made as { sub: string }).sub, username })
  const path = `/auth/admin/realms/${realm.name}/clients/${encodeURIComponent(clientId)}`
  return reply
    .code(201)
    .header('location', deps.site.origin + path)
    .send()
}

export async function deleteServiceAccount(call: AdminCall) {
  const { account } = await requireServiceClient(call)
  const { sub, username } = account
  await accountHandlers(call.deps).deleteAccount({ params: { sub } }, call.ctx)
  await record(call, 'delete', { sub, username })
  return undefined
}

/** GET client-secret: asterisks, since only a fingerprint of the secret is kept. */
export async function clientSecret(call: AdminCall) {
  await requireServiceClient(call)
  return { type: 'secret', value: '*'.repeat(10) }
}

export async function renewClientSecret(call: AdminCall) {
  const { account } = await requireServiceClient(call)
  const { sub, username } = account
  const { deps, ctx } = call
  const { clientSecret: value } = await deps.db
    .transaction()
    .execute((tx) => renewAccountClientSecret(tx, deps, { sub, now: ctx.now }))
  await record(call, 'renewSecret', { sub, username })
  return { type: 'secret', value }
}

export const serviceAccountUser = async (call: AdminCall) =>
  userOf((await requireServiceClient(call)).account)

async function requireServiceClient({ deps, realm, param }: AdminCall) {
  const row: ClientRow | undefined = await findClient(deps.db, realm.name, param('client'))
  const account = row?.sub ? await accountBySub(deps.db, row.sub) : undefined
  if (!row || !account) throw noSuchClient()
  return { row, account }
}
