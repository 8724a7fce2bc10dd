import { randomUUID, X509Certificate } from 'node:crypto'
import os from 'node:os'
import type { Deps } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import {
  crossedCertificates,
  currentAuthority,
  deviceCertificate,
  insertAuthority,
  insertDeviceCertificate,
  lockAuthority,
  retireAuthority,
  trustedAuthorities,
} from './certificate-authority-store.ts'
import type { Signer } from './certificate-authority-x509.ts'
import type { AuthorityRow, PairingDb } from './pairing-tables.ts'

export type AuthorityDeps = Pick<Deps<PairingDb>, 'db' | 'secrets' | 'now'>

/** `cause` is stable: `not_a_certificate`, `unknown_issuer`, `not_yet_valid`, `expired`, `revoked`, `unknown`. */
type Verdict =
  | { valid: true; realm: string; logicalId: string; until: Date }
  | { valid: false; cause: string; details: string }

type SignedDevice =
  | { ok: true; certificate: string; serial: string; until: Date }
  | { ok: false; cause: 'malformed' | 'other_device'; reason: string }

export type CertificateAuthority = Awaited<ReturnType<typeof loadAuthority>>

/** Loaded at the first certificate: a start would wait a fifth of a second for its library. */
const certificates = () => import('./certificate-authority-x509.ts')

const sealLabel = (id: string) => `certificate-authority:${id}`

/** The installation's own authority, made at the first call and kept encrypted. */
export async function loadAuthority(deps: AuthorityDeps) {
  const { db, now } = deps
  await db.transaction().execute((tx) => currentOrNew(tx, deps))
  let trusted = await trustedAuthorities(db, now())
  return {
    /** Authorities that devices trust: the current one, then older ones still in use. */
    caPem: () => pemOf(trusted),
    /** Authorities whose device certificates are accepted, for the TLS server's `ca`. */
    trusted: () => trusted.map(({ certificate }) => certificate),
    /** Reads the authorities again, after a rotation or a change by another process. */
    async refresh() {
      trusted = await trustedAuthorities(db, now())
    },
    /**
     * A fresh key and certificate chain for a TLS server. Renew well before `notAfter` and after a
     * rotation. The chain lets clients in that trust an authority from before a rotation.
     */
    async serverCertificate(hostnames: readonly string[]) {
      const signer = await signerOf(await existingAuthority(db), deps)
      const { serverCertificateOf } = await certificates()
      const { certificate, key } = await serverCertificateOf(signer, hostnames, now())
      const crossed = await crossedCertificates(db)
      const cert = [certificate.toString('pem'), ...crossed].map(withNewline).join('')
      return { key, cert, notAfter: certificate.notAfter }
    },
    /** Sign a device's request; whatever subject it asks for, it gets `CN=<realm>/<logicalId>`. */
    signDevice: (csr: string, device: DeviceName) => signDevice(deps, csr, device),
    /** Is this text the living certificate of a device, given by us and not taken back? */
    verify: async (pem: string) => {
      const { readCertificate } = await certificates()
      const certificate = readCertificate(pem)
      if (!certificate) return invalid('not_a_certificate', 'This is no certificate in PEM.')
      return verifyCertificate(deps, new X509Certificate(Buffer.from(certificate.rawData)))
    },
    /** The same of a certificate that is read already. */
    verifyCertificate: (certificate: X509Certificate) => verifyCertificate(deps, certificate),
  }
}

/** Names on the server's certificate: the portal's host, this machine's, and the local ones. */
export const serverNames = (origin: string): string[] => {
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '')
  return [...new Set([host, 'localhost', os.hostname(), '127.0.0.1', '::1'])]
}

/**
 * Make a new authority and let the old one be trusted until its last certificate is dead. Devices that
 * know only the old one still accept the server, whose chain holds the new one certified by the old.
 */
export async function rotateAuthority(tx: Kysely<PairingDb>, deps: AuthorityDeps) {
  const before = await currentOrNew(tx, deps)
  const signer = await signerOf(before, deps)
  await retireAuthority(tx)
  return insertFresh(tx, deps, signer)
}

async function existingAuthority(db: Kysely<PairingDb>) {
  const row = await currentAuthority(db)
  if (!row) throw new Error('The certificate authority is gone from the database')
  return row
}

async function currentOrNew(tx: Kysely<PairingDb>, deps: AuthorityDeps) {
  await lockAuthority(tx)
  return (await currentAuthority(tx)) ?? insertFresh(tx, deps)
}

async function insertFresh(tx: Kysely<PairingDb>, deps: AuthorityDeps, before?: Signer) {
  const now = deps.now()
  const { crossSigned, makeAuthority } = await certificates()
  const made = await makeAuthority(randomUUID(), now)
  const crossed = before && (await crossSigned(before, made.certificate, now))
  const row: AuthorityRow = {
    id: made.id,
    certificate: withNewline(made.certificate.toString('pem')),
    crossed: crossed ? withNewline(crossed.toString('pem')) : null,
    sealed_key: deps.secrets.seal(sealLabel(made.id), made.pkcs8),
    current: true,
    made_at: now,
    not_after: made.certificate.notAfter,
  }
  await insertAuthority(tx, row)
  return row
}

async function signerOf(row: AuthorityRow, { secrets }: AuthorityDeps): Promise<Signer> {
  const { importKey, readCertificate } = await certificates()
  const certificate = readCertificate(row.certificate)
  if (!certificate) throw new Error('The stored certificate authority cannot be read')
  const key = await importKey(secrets.open(sealLabel(row.id), row.sealed_key))
  return { id: row.id, certificate, key }
}

type DeviceName = { realm: string; logicalId: string; askedFrom: string }

async function signDevice(
  deps: AuthorityDeps,
  csr: string,
  { realm, logicalId, askedFrom }: DeviceName,
): Promise<SignedDevice> {
  const { deviceCertificateOf, readRequest } = await certificates()
  const request = await readRequest(csr)
  if (!request.ok) return { ok: false, cause: 'malformed', reason: request.reason }
  const name = `${realm}/${logicalId}`
  const { commonName, organizations, publicKey } = request
  // Devices ask with their id; a request without a name asks for nothing else.
  if (![logicalId, name, ''].includes(commonName)) {
    const reason = `the request is for ${commonName}, and this is ${logicalId}`
    return { ok: false, cause: 'other_device', reason }
  }
  const row = await existingAuthority(deps.db)
  const now = deps.now()
  const signer = await signerOf(row, deps)
  const subject = [...organizations.map((O) => ({ O: [O] })), { CN: [name] }]
  const certificate = await deviceCertificateOf(signer, { publicKey, subject }, now)
  await insertDeviceCertificate(deps.db, {
    serial: certificate.serialNumber,
    authority: row.id,
    realm,
    device_id: logicalId,
    issued_at: now,
    not_after: certificate.notAfter,
    revoked_at: null,
    asked_from: askedFrom,
  })
  return {
    ok: true,
    certificate: withNewline(certificate.toString('pem')),
    serial: certificate.serialNumber,
    until: certificate.notAfter,
  }
}

const invalid = (cause: string, details: string): Verdict => ({ valid: false, cause, details })

/** Node's own functions take a tenth of the time of the library that makes certificates: each connection is verified. */
async function verifyCertificate(
  deps: AuthorityDeps,
  certificate: X509Certificate,
): Promise<Verdict> {
  const now = deps.now()
  const authorities = await trustedAuthorities(deps.db, now)
  if (!authorities.some((authority) => isIssuedBy(certificate, authority))) {
    return invalid('unknown_issuer', 'The certificate was not signed by this platform.')
  }
  const { validFromDate: from, validToDate: until } = certificate
  if (now < from) return invalid('not_yet_valid', `Valid from ${from.toISOString()}.`)
  if (now > until) return invalid('expired', `Expired at ${until.toISOString()}.`)
  // Server certificates come from the same authority and are not in the list.
  const row = await deviceCertificate(deps.db, certificate.serialNumber.toLowerCase())
  if (!row) return invalid('unknown', 'No such device certificate was given.')
  if (row.revoked_at) return invalid('revoked', `Taken back at ${row.revoked_at.toISOString()}.`)
  return { valid: true, realm: row.realm, logicalId: row.device_id, until }
}

function isIssuedBy(certificate: X509Certificate, { certificate: pem }: AuthorityRow) {
  const authority = new X509Certificate(pem)
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
}

const pemOf = (rows: readonly AuthorityRow[]) => rows.map(({ certificate }) => certificate).join('')
const withNewline = (pem: string) => `${pem.trimEnd()}\n`
