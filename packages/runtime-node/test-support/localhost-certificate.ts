// A self-signed certificate for `localhost`, for tests only. Clients trust it only if a test says so.
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgDviQCru8tEsixVgE
IDjmTumey/oxSGzrIUkHQN9182ChRANCAAQzviPSCA3zAuc5WUohJdmukbAmALmI
gKwc/St7RRm4SIXywW9tkpoRzXuKgZuyXaFMgjqDAxFlDpk1WGCb6I/P
-----END PRIVATE KEY-----
`;

export const cert = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUa24fi0WWA/H4C3PQhgkKZUwmfTIwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNjIyNDQwMloYDzIxMjYxMDIz
MjI0NDAyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQzviPSCA3zAuc5WUohJdmukbAmALmIgKwc/St7RRm4SIXywW9tkpoR
zXuKgZuyXaFMgjqDAxFlDpk1WGCb6I/Po2kwZzAdBgNVHQ4EFgQUleR+TJUlzcnd
Lz/OwMn4dV3Cc0cwHwYDVR0jBBgwFoAUleR+TJUlzcndLz/OwMn4dV3Cc0cwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgEytBIaMJ0szIfI7bsFvTAO3kyjIqjuy0HpDvuZ0g/E0CIBeN3SR2KLC7
rmeBpLyAflTysZzbEi2lOx53a86yy2mZ
-----END CERTIFICATE-----
`;
