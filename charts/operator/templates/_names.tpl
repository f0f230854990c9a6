{{- define "operator.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "operator.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains (include "operator.name" .) .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "operator.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "operator.selectorLabels" -}}
app.kubernetes.io/name: {{ include "operator.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "operator.labels" -}}
{{ include "operator.selectorLabels" . }}
app.kubernetes.io/part-of: chain
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "operator.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "operator.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{/* An image by digest where there is one, else by tag; the tag defaults to the chart's version. */}}
{{- define "operator.image" -}}
{{- $image := .image -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository ($image.tag | default .version) -}}
{{- end -}}
{{- end -}}

{{/* Namespaces that are watched; none means all of them. */}}
{{- define "operator.namespaces" -}}
{{- if or .Values.watch.namespaces (eq .Values.watch.scope "namespaces") -}}
{{- .Values.watch.namespaces | default (list .Release.Namespace) | toJson -}}
{{- else -}}
[]
{{- end -}}
{{- end -}}

{{/* docs/reference/operator.md says what each key means. */}}
{{- define "operator.settings" -}}
[kubernetes]
namespaces = {{ include "operator.namespaces" . }}
selector = {{ .Values.watch.selector | quote }}

[leader-election]
enabled = {{ .Values.leaderElection.enabled }}
name = {{ include "operator.fullname" . | quote }}
lease-duration = {{ .Values.leaderElection.leaseDuration | quote }}
renew-deadline = {{ .Values.leaderElection.renewDeadline | quote }}
retry-period = {{ .Values.leaderElection.retryPeriod | quote }}

[controller]
concurrency = {{ .Values.controller.concurrency }}
resync-interval = {{ .Values.controller.resyncInterval | quote }}
poll-interval = {{ .Values.controller.pollInterval | quote }}
height-interval = {{ .Values.controller.heightInterval | quote }}

[defaults]
limiter-image = {{ include "operator.image" (dict "image" .Values.limiterImage "version" .Chart.AppVersion) | quote }}

[admin]
address = "0.0.0.0"
port = {{ .Values.service.adminPort }}

[status-page]
enabled = {{ .Values.statusPage.enabled }}
address = {{ ternary "0.0.0.0" "127.0.0.1" .Values.statusPage.exposed | quote }}
port = {{ .Values.statusPage.port }}
access = {{ .Values.statusPage.access | quote }}

[log]
level = {{ .Values.controller.logLevel | quote }}
format = {{ .Values.controller.logFormat | quote }}
{{- end -}}

{{- define "operator.settingsName" -}}
{{- printf "%s-%s" (include "operator.fullname" . | trunc 52 | trimSuffix "-") (include "operator.settings" . | sha256sum | trunc 10) -}}
{{- end -}}
