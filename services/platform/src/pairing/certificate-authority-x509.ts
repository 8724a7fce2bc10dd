import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import net from 'node:net'
import * as x509 from '@peculiar/x509'

const dayMs = 24 * 60 * 60 * 1000
const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** An authority is replaced by command long before this. */
const authorityDays = 20 * 365
/**
 * Devices take a new certificate at every start, and a machine may run for a year without one. Every
 * connection is checked for revocation, so a long life costs no safety.
 */
export const deviceCertificateDays = 365
const serverCertificateDays = 397
/** Clocks at plants are wrong by a while. */
const clockSlackMs = dayMs

/** A certificate authority that can sign. */
export type Signer = { id: string; certificate: x509.X509Certificate; key: CryptoKey }

type Extra = { subject: x509.JsonName; publicKey: CryptoKey; extensions: x509.Extension[] }

/** A positive serial number of 16 random bytes, in hex. */
const freshSerial = () => {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}

const validity = (now: Date, days: number) => ({
  notBefore: new Date(now.getTime() - clockSlackMs),
  notAfter: new Date(now.getTime() + days * dayMs),
})

const authorityExtensions = async (publicKey: CryptoKey) => [
  new x509.BasicConstraintsExtension(true, undefined, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
  await x509.SubjectKeyIdentifierExtension.create(publicKey),
]

/** A new EC P-256 authority, certified by itself. */
export async function makeAuthority(id: string, now: Date): Promise<Signer & { pkcs8: Buffer }> {
  const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: freshSerial(),
    name: [{ CN: [`Longreach device authority ${id.slice(0, 8)}`] }, { O: ['Longreach'] }],
    ...validity(now, authorityDays),
    signingAlgorithm: ecdsa,
    keys,
    extensions: await authorityExtensions(keys.publicKey),
  })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  return { id, certificate, key: keys.privateKey, pkcs8 }
}

export const importKey = (pkcs8: Buffer) =>
  crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), ecdsa, false, ['sign'])

async function signCertificate(signer: Signer, extra: Extra, now: Date, days: number) {
  const { notBefore, notAfter } = validity(now, days)
  const latest = signer.certificate.notAfter
  return x509.X509CertificateGenerator.create({
    serialNumber: freshSerial(),
    issuer: signer.certificate.subjectName.toJSON(),
    signingKey: signer.key,
    signingAlgorithm: ecdsa,
    notBefore,
    notAfter: notAfter < latest ? notAfter : latest,
    subject: extra.subject,
    publicKey: extra.publicKey,
    extensions: [
      ...extra.extensions,
      await x509.AuthorityKeyIdentifierExtension.create(signer.certificate),
    ],
  })
}

/** Certificate of authority `next` by the one before it, for devices that trust only that one. */
export async function crossSigned(before: Signer, next: x509.X509Certificate, now: Date) {
  const publicKey = await next.publicKey.export()
  const extensions = await authorityExtensions(publicKey)
  const subject = next.subjectName.toJSON()
  return signCertificate(before, { subject, publicKey, extensions }, now, authorityDays)
}

const endEntity = async (publicKey: CryptoKey, purpose: string, usages: number) => [
  new x509.BasicConstraintsExtension(false, undefined, true),
  new x509.KeyUsagesExtension(usages, true),
  new x509.ExtendedKeyUsageExtension([purpose]),
  await x509.SubjectKeyIdentifierExtension.create(publicKey),
]

/** A device's certificate: its own key, our subject, good for clients only. */
export async function deviceCertificateOf(
  signer: Signer,
  request: { publicKey: x509.PublicKey; subject: x509.JsonName },
  now: Date,
) {
  const publicKey = await request.publicKey.export()
  const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags
  const usages = publicKey.algorithm.name.startsWith('RSA')
    ? digitalSignature | keyEncipherment
    : digitalSignature
  const extensions = await endEntity(publicKey, x509.ExtendedKeyUsage.clientAuth, usages)
  const { subject } = request
  return signCertificate(signer, { subject, publicKey, extensions }, now, deviceCertificateDays)
}

/** Key and certificate of a TLS server with these host names and addresses. */
export async function serverCertificateOf(signer: Signer, hostnames: readonly string[], now: Date) {
  const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const { digitalSignature } = x509.KeyUsageFlags
  const names = hostnames.map(
    (value) => ({ type: net.isIP(value) === 0 ? 'dns' : 'ip', value }) as const,
  )
  const certificate = await signCertificate(
    signer,
    {
      subject: [{ CN: [hostnames[0] ?? 'localhost'] }, { O: ['Longreach'] }],
      publicKey: keys.publicKey,
      extensions: [
        ...(await endEntity(keys.publicKey, x509.ExtendedKeyUsage.serverAuth, digitalSignature)),
        new x509.SubjectAlternativeNameExtension(names),
      ],
    },
    now,
    serverCertificateDays,
  )
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { certificate, key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') }
}

export type ReadRequest =
  | { ok: true; publicKey: x509.PublicKey; commonName: string; organizations: string[] }
  | { ok: false; reason: string }

/** Reads a PEM signing request and checks that it is signed with its own key. */
export async function readRequest(pem: string): Promise<ReadRequest> {
  let request: x509.Pkcs10CertificateRequest
  try {
    request = new x509.Pkcs10CertificateRequest(pem)
  } catch {
    return { ok: false, reason: 'not a PKCS #10 certificate signing request in PEM' } // whatever the parser says of it
  }
  const key = acceptableKey(request.publicKey.algorithm)
  if (key !== undefined) return { ok: false, reason: key }
  const proven = await request.verify().catch(() => false) // a damaged signature may also throw
  if (!proven) return { ok: false, reason: 'the signature of the request does not fit its key' }
  const { publicKey, subjectName } = request
  return {
    ok: true,
    publicKey,
    commonName: subjectName.getField('CN')[0] ?? '',
    organizations: subjectName.getField('O').slice(0, 1),
  }
}

/** Why a key is refused: RSA of 2048 to 8192 bits and the NIST curves are good. */
function acceptableKey(algorithm: Algorithm): string | undefined {
  const { name, modulusLength, namedCurve } = algorithm as Partial<RsaKeyAlgorithm & EcKeyAlgorithm>
  if (name?.startsWith('RSA')) {
    const fits = modulusLength !== undefined && modulusLength >= 2048 && modulusLength <= 8192
    return fits ? undefined : `an RSA key of ${modulusLength} bits; 2048 to 8192 are taken`
  }
  const curves = ['P-256', 'P-384', 'P-521']
  return namedCurve !== undefined && curves.includes(namedCurve)
    ? undefined
    : `a key of kind ${namedCurve ?? name}; RSA, P-256, P-384 and P-521 are taken`
}

/** The first certificate of a PEM text; undefined when there is none. */
export function readCertificate(pem: string): x509.X509Certificate | undefined {
  try {
    return new x509.X509Certificate(pem)
  } catch {
    return undefined // whatever the parser says of it
  }
}
