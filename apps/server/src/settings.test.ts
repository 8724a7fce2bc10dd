import path from 'node:path'
import { expect, test } from 'vitest'
import { standardDataDir } from './data-folder.ts'
import { readSettings } from './settings.ts'

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
