import type { Duplex } from 'node:stream'
import type { PeerCertificate, TLSSocket } from 'node:tls'

/** Connection of a client, over TLS or in memory. */
export type ClientSocket = Duplex & Pick<TLSSocket, 'remoteAddress'>

/** Connection of a client that has proven its certificate. */
export type ProvenSocket = ClientSocket & { getPeerCertificate: () => PeerCertificate }
