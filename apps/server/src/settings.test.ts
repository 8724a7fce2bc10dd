import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { standardDataDir } from './data-folder.ts'
import { readSettings } from './settings.ts'

let folder: string
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-settings-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))
async function fileOf(name: string, text: string) {
  const file = path.join(folder, name)
  await writeFile(file, text)
  return file
}

test('without any setting the standards hold', () => {
  expect(readSettings({})).toMatchObject({
    port: 8080,
    mqttPort: 8883,
    dataDir: path.resolve(standardDataDir(undefined)), // another one for root in a closed folder
    databaseUrl: undefined,
    setup: undefined,
    logLevel: 'warn',
  })
})

test('an empty text counts as absent', () => {
  expect(readSettings({ PORT: '', LOG_LEVEL: '' })).toMatchObject({ port: 8080, logLevel: 'warn' })
})

test('port 0 asks for a free one', () => {
  expect(readSettings({ PORT: '0', MQTT_PORT: '0' })).toMatchObject({ port: 0, mqttPort: 0 })
})

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['PORT', '80.5'],
  ['MQTT_PORT', '-1'],
  ['DATABASE_URL', 'mysql://x'],
  ['PUBLIC_URL', 'portal.example.org'],
  ['PUBLIC_URL', 'https://portal.example.org/path'],
  ['MASTER_KEY', 'secret'],
  ['KEYCLOAK_URL', 'id.example.org'],
  ['KEYCLOAK_URL', 'https://id.example.org'],
  ['KEYCLOAK_REALMS', 'nordwerk'],
  ['KEYCLOAK_SCOPE', 'org:* app:*'],
  ['KEYCLOAK_SCOPE', 'org:{organization}  "x"'],
  ['SMTP_URL', 'mail.example.org'],
  ['SMTP_URL', 'http://mail.example.org'],
  ['MAIL_FROM', 'nobody'],
  ['MAIL_FROM', 'A <a@b.example>\r\nBcc: x@y.example'],
  ['MAIL_FROM', 'a@b.example, c@d.example'],
  ['SMTP_URL', 'smtp://mail.example.org'],
  ['OUTSIDE_HTTP', 'yes'],
  ['OUTSIDE_ALLOWED_NETWORKS', 'intranet'],
  ['OUTSIDE_ALLOWED_NETWORKS', '10.0.0.0/33'],
  ['OUTSIDE_ALLOWED_NETWORKS', '10.0.0.1, fd00::/129'],
  ['REGISTRATION', 'yes'],
  ['REGISTRATION_PARENT', '../nordwerk'],
  ['LOG_LEVEL', 'loud'],
  ['SETUP_ORGANIZATION', 'My Org'],
])('%s=%s is refused by name', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(name)
})

test('a Keycloak needs its address and the secret of its administration client', () => {
  const { keycloak } = readSettings({
    KEYCLOAK_URL: 'https://id.example.org/auth/',
    KEYCLOAK_ADMIN_CLIENT_SECRET: 's',
    KEYCLOAK_REALMS: 'nordwerk=plants, acqua = water',
    KEYCLOAK_SCOPE: 'org:{organization} app:*',
  })
  expect(keycloak).toEqual({
    url: 'https://id.example.org/auth',
    clientId: 'corvina-core-keycloak-admin-client',
    secret: 's',
    realms: new Map([
      ['nordwerk', 'plants'],
      ['acqua', 'water'],
    ]),
    scope: 'org:{organization} app:*',
  })
  expect(readSettings({}).keycloak).toBeUndefined()
})

test('every bad setting is named at once', () => {
  expect(() => readSettings({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT[^]*LOG_LEVEL/)
})

test('calls outside go by TLS to public addresses, unless the settings allow more', () => {
  expect(readSettings({}).outside).toEqual({ http: false, networks: [] })
  const { outside } = readSettings({
    OUTSIDE_HTTP: 'on',
    OUTSIDE_ALLOWED_NETWORKS: '10.1.0.0/16, 192.168.7.5,fd00:7::/32',
  })
  expect(outside).toEqual({ http: true, networks: ['10.1.0.0/16', '192.168.7.5', 'fd00:7::/32'] })
})

test('an owner needs both a name and a password', () => {
  expect(() => readSettings({ SETUP_USER: 'eva' })).toThrow('SETUP_PASSWORD')
  expect(readSettings({ SETUP_USER: 'eva', SETUP_PASSWORD: 'long enough it is' }).setup).toEqual({
    user: 'eva',
    password: 'long enough it is',
    organization: 'main',
  })
})

test('a slash at the end of the public address does not count', () => {
  expect(readSettings({ PUBLIC_URL: 'https://p.example.org/' }).publicUrl).toBe(
    'https://p.example.org',
  )
})

test('mail needs a server and a sender; registering below an organization needs mail', () => {
  expect(readSettings({})).toMatchObject({ mail: undefined, registration: undefined })
  const mail = {
    SMTP_URL: 'smtp://a:b@mail.example.org:587',
    MAIL_FROM: 'Plant <no@plant.example>',
  }
  expect(readSettings({ ...mail, REGISTRATION: 'open' })).toMatchObject({
    mail: { url: mail.SMTP_URL, from: mail.MAIL_FROM },
    registration: {},
  })
  const below = { REGISTRATION: 'open', REGISTRATION_PARENT: 'nordwerk.customers' }
  expect(readSettings({ ...mail, ...below }).registration).toEqual({ parent: 'nordwerk.customers' })
  expect(() => readSettings(below)).toThrow('REGISTRATION_PARENT')
  expect(() => readSettings({ SMTP_URL: mail.SMTP_URL })).toThrow('MAIL_FROM')
})

test('every secret may be in a file, whose line break at the end does not count', async () => {
  const key = '7'.repeat(64)
  const settings = readSettings({
    DATABASE_URL_FILE: await fileOf('database', 'postgres://a:b@db.example.org/lr\n'),
    SMTP_URL_FILE: await fileOf('smtp', 'smtp://a:b@mail.example.org\r\n'),
    MAIL_FROM: 'no@plant.example',
    SETUP_USER: 'eva',
    SETUP_PASSWORD_FILE: await fileOf('password', ' long enough it is \n\n'),
    MASTER_KEY_FILE: await fileOf('key', key),
    KEYCLOAK_URL: 'https://id.example.org',
    KEYCLOAK_ADMIN_CLIENT_SECRET_FILE: await fileOf('keycloak', 's3cret\n'),
    ADMIN_CLIENT_SECRET_FILE: await fileOf('admin', 'of the administration client\n'),
    MASTER_KEY: '', // counts as absent
  })
  expect(settings).toMatchObject({
    databaseUrl: 'postgres://a:b@db.example.org/lr',
    mail: { url: 'smtp://a:b@mail.example.org' },
    setup: { user: 'eva', password: ' long enough it is \n' },
    masterKey: key,
    keycloak: { secret: 's3cret' },
    adminClientSecret: 'of the administration client',
  })
})

test('a secret that is given twice, or whose file cannot be used, is named with the file', async () => {
  const missing = path.join(folder, 'missing')
  const empty = await fileOf('empty', '\n')
  const wrong = await fileOf('wrong', 'half a key')
  const refused = () =>
    readSettings({
      SMTP_URL: 'smtp://x',
      SMTP_URL_FILE: missing,
      DATABASE_URL_FILE: missing,
      SETUP_PASSWORD_FILE: folder,
      KEYCLOAK_ADMIN_CLIENT_SECRET_FILE: empty,
      MASTER_KEY_FILE: wrong,
    })
  expect(refused).toThrow('SMTP_URL and SMTP_URL_FILE exclude each other')
  expect(refused).toThrow(`DATABASE_URL_FILE: ${missing} cannot be read (ENOENT)`)
  expect(refused).toThrow(`SETUP_PASSWORD_FILE: ${folder} cannot be read (EISDIR)`)
  expect(refused).toThrow(`KEYCLOAK_ADMIN_CLIENT_SECRET_FILE: ${empty} is empty`)
  expect(refused).toThrow('MASTER_KEY must be 64 hexadecimal digits')
  expect(refused).not.toThrow('half a key')
})
