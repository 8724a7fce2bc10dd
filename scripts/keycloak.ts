import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { startKeycloak } from './keycloak-server.ts'

// A real Keycloak beside real servers of ours: people sign in there with a browser, are administered
// from here, and come and go. Needs Maven, unzip, Java and Chromium; fetches Keycloak once.
//   npm run keycloak [-- part of a file's name …]
const files = process.argv.slice(2)
const say = (text: string) => process.stdout.write(`${text}\n`)
const clientId = 'corvina-core-keycloak-admin-client'

/** The client that Longreach administers realms with, made as OPERATING.md says. */
async function makeAdminClient(url: string, admin: { username: string; password: string }) {
  const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...admin }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const call = async <T>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/admin/realms/master${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const secret = randomBytes(32).toString('base64url')
  await call('POST', '/clients', {
    clientId,
    secret,
    publicClient: false,
    serviceAccountsEnabled: true,
    standardFlowEnabled: false,
    directAccessGrantsEnabled: false,
  })
  const [made] = await call<{ id: string }[]>('GET', `/clients?clientId=${clientId}`)
  const user = await call<{ id: string }>('GET', `/clients/${made?.id}/service-account-user`)
  const role = await call('GET', '/roles/admin')
  await call('POST', `/users/${user.id}/role-mappings/realm`, [role])
  return secret
}

const keycloak = await startKeycloak(say)
try {
  const secret = await makeAdminClient(keycloak.url, keycloak.admin)
  const env = {
    ...process.env,
    KEYCLOAK_URL: keycloak.url,
    KEYCLOAK_ADMIN_CLIENT_ID: clientId,
    KEYCLOAK_ADMIN_CLIENT_SECRET: secret,
  }
  const run = (...args: string[]) =>
    spawnSync('vitest', ['run', ...args], { stdio: 'inherit', env }).status ?? 1
  const service = files.length > 0 ? 0 : run('--project', 'services', 'keycloak/keycloak.test.ts')
  const suite = run('--project', 'keycloak', ...files)
  process.exitCode = service || suite
} finally {
  await keycloak.stop()
}
