import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answer, desktop, faults, show } from '../../../page-testing.tsx'
import { OpcuaEndpoints } from './OpcuaEndpoints.tsx'

// The first bytes of a certificate: a sequence with a length of two bytes, and in it another sequence.
const der = [0x30, 0x82, 0x01, 0x0a, 0x30, 0x82, 0x00, 0xff, 0x00, 0x80]
const pem = `-----BEGIN CERTIFICATE-----\n${btoa(String.fromCodePoint(...der))}\n-----END CERTIFICATE-----\n`

let files: { name: string; type: string; bytes: Promise<number[]> }[] = []
let given: Blob | undefined
const { createObjectURL } = URL

/** Listener that keeps a download of the page, in place of a file on the disk of the test. */
const noteDownload = (event: Event) => {
  const link = event.target
  if (!(link instanceof HTMLAnchorElement) || given === undefined) return
  event.preventDefault()
  const bytes = given.arrayBuffer().then((all) => [...new Uint8Array(all)])
  files.push({ name: link.download, type: given.type, bytes })
}
const click = HTMLAnchorElement.prototype.click

beforeEach(async () => {
  files = []
  given = undefined
  answer({})
  await desktop()
  URL.createObjectURL = (blob: Blob) => {
    given = blob
    return createObjectURL(blob)
  }
  // A link that is in no document tells nobody above it.
  HTMLAnchorElement.prototype.click = function pressed() {
    this.addEventListener('click', noteDownload, { once: true })
    click.call(this)
  }
})
afterEach(() => {
  URL.createObjectURL = createObjectURL
  HTMLAnchorElement.prototype.click = click
})

const endpoints = [
  {
    url: 'opc.tcp://10.0.0.7:4840',
    security: 'SignAndEncrypt',
    policy: 'Basic256Sha256',
    users: ['Anonymous'],
    serverCertificate: 'AB:CD:EF:01:23:45:67:89',
    server: 'oven',
  },
]

async function open(agentCertificatePem?: string) {
  const rest = { chosen: {}, onChoose: () => undefined, agentCertificate: '01:E4:88:B6' }
  await show(
    <main>
      <h1>OPC UA</h1>
      <OpcuaEndpoints endpoints={endpoints} {...rest} {...{ agentCertificatePem }} />
    </main>,
  )
}

test('the certificate of the gateway downloads as the bytes of DER and as the text of PEM', async () => {
  await open(pem)
  await expect.element(page.getByText('01:E4:88:B6')).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Download as DER' }).click()
  await page.getByRole('button', { name: 'Download as PEM' }).click()
  const type = 'application/x-x509-ca-cert'
  expect(files.map(({ name, type: of }) => [name, of])).toEqual([
    ['longreach-edge.der', type],
    ['longreach-edge.pem', type],
  ])
  const [first, second] = await Promise.all(files.map(({ bytes }) => bytes))
  expect(first).toEqual(der)
  expect(String.fromCodePoint(...(second ?? []))).toBe(pem)
  expect(pem.startsWith('-----BEGIN CERTIFICATE-----\n')).toBe(true)
})

test('an agent that sends no certificate as text offers no file of it', async () => {
  await open()
  await expect.element(page.getByText('01:E4:88:B6')).toBeVisible()
  expect(page.getByRole('button', { name: /^Download/ }).elements()).toEqual([])
})
