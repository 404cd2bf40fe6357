import { request } from './request.ts'

export interface Account {
  readonly email: string
  readonly password: string
}

/** Returns the access token. */
export async function signIn(baseUrl: string, { email, password }: Account): Promise<string> {
  const response = await request(baseUrl, 'POST', '/api/auth/login', { body: { email, password } })
  if (response.status !== 200) throw new Error(`${email} cannot sign in: ${response.status} ${response.text}`)
  return response.body.access_token
}
