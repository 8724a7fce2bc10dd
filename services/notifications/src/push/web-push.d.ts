/** Part of web-push 3.6 that is used: keys, and the request of a message. */
declare module 'web-push' {
  type Details = {
    method: 'POST'
    endpoint: string
    headers: Record<string, string | number>
    body: Buffer | null
  }
  const webPush: {
    generateVAPIDKeys(): { publicKey: string; privateKey: string }
    generateRequestDetails(
      subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
      payload: string,
      options: {
        vapidDetails: { subject: string; publicKey: string; privateKey: string }
        TTL: number
        urgency: 'very-low' | 'low' | 'normal' | 'high'
        contentEncoding: 'aes128gcm'
      },
    ): Details
  }
  export default webPush
}
