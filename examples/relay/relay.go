// The relay in Go: MODEL_ENDPOINT=… MODEL_API_KEY=… SESSION_SECRET=… PORT=8787 go run relay.go, behind the proxy of your site.
// Its users are those of the cookie `session`, as signSession of tool-agent/relay makes it. Replace isUser with your sessions.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"time"
)

var key, secret = os.Getenv("MODEL_API_KEY"), []byte(os.Getenv("SESSION_SECRET"))
var session = regexp.MustCompile(`(?:^|; )session=([\w-]+\.(\d{1,12}))\.([\w-]+)(?:;|$)`) // user.expiry.signature

func isUser(request *http.Request) bool {
	parts := append(session.FindStringSubmatch(request.Header.Get("Cookie")), "", "", "0", "")
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(parts[1]))
	expiry, _ := strconv.ParseInt(parts[2], 10, 64)
	signature := base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	return len(secret) > 0 && expiry > time.Now().Unix() && hmac.Equal([]byte(signature), []byte(parts[3]))
}
func main() {
	endpoint, _ := url.Parse(os.Getenv("MODEL_ENDPOINT")) // such as https://api.openai.com/v1
	relay := &httputil.ReverseProxy{FlushInterval: -1, Director: func(request *http.Request) {
		request.URL, request.Host = endpoint.JoinPath("chat/completions"), endpoint.Host
		request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + key}}
	}, ModifyResponse: func(answer *http.Response) error {
		if answer.StatusCode >= 400 {
			return errors.New(answer.Status) // Its text may repeat the key.
		}
		return nil
	}}
	http.HandleFunc("/models/openai/chat/completions", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 4_000_000))
		var chat struct{ Model string }
		if site := request.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
			http.Error(response, `{"error":{"message":"Only pages of this site may use the relay"}}`, 403)
		} else if !isUser(request) {
			http.Error(response, `{"error":{"message":"Sign in first"}}`, 401)
		} else if err != nil || json.Unmarshal(body, &chat) != nil || chat.Model != "gpt-5-mini" {
			http.Error(response, `{"error":{"message":"Expected JSON of at most 4 MB for the model gpt-5-mini"}}`, 400)
		} else {
			request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			relay.ServeHTTP(response, request)
		}
	})
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
